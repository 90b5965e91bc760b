import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AuditTrail, openFolderTrail } from '@sekisho/server/audit'
import { dataFolderAt, makeDataFolder } from '@sekisho/server/data-folder'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { COMMANDS } from '../../src/main.ts'

const BIN = fileURLToPath(new URL('../../bin/sekisho.mjs', import.meta.url))
let root: string
let trail: AuditTrail
const children: ChildProcess[] = []

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'sekisho-follow-'))
  const folder = dataFolderAt(join(root, 'data'))
  makeDataFolder(folder)
  trail = await openFolderTrail(folder, {
    now: Date.now,
    onFailure(error) {
      throw error
    },
  })
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await trail.close()
  rmSync(root, { recursive: true })
})

const at = (name: string) => join(root, name)
function follow(...args: readonly string[]) {
  const place = ['--cursor', at('cursor'), '--data-dir', at('data'), '--lang', 'en']
  const child = spawn(process.execPath, [BIN, 'audit', 'follow', ...place, ...args])
  children.push(child)
  return child
}
async function record(...names: readonly string[]): Promise<void> {
  for (const email of names) await trail.recordDurably('signed_in', { email })
}
const emailsIn = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => JSON.parse(line).email ?? [])
const written = () => emailsIn(readFileSync(at('out'), 'utf8'))
/** The command in this process, to its end. */
async function followOnce(out = at('out')): Promise<number> {
  const command = await COMMANDS.get('audit')?.load()
  const place = ['--cursor', at('cursor'), '--data-dir', at('data')]
  const io = { env: {}, cwd: root, clock: Date.now, print() {}, complain() {} }
  return (await command?.(['follow', ...place, '--once', '--out', out], io)) ?? -1
}
async function end(child: ChildProcess, signal?: NodeJS.Signals): Promise<number | null> {
  if (signal !== undefined) child.kill(signal)
  const [code] = await once(child, 'exit')
  return code
}

it('writes each line once to a file, from run to run, and ends with 0', async () => {
  await record('a', 'b')
  expect(await end(follow('--once', '--out', at('out')))).toBe(0)
  await record('c')
  expect(await followOnce()).toBe(0)
  expect(await followOnce()).toBe(0)
  expect(written()).toEqual(['a', 'b', 'c'])
  const [first = '{}'] = readFileSync(at('out'), 'utf8').split('\n')
  expect(JSON.parse(first)).toMatchObject({
    chain: 'gate',
    seq: 1,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
})

it('loses no line when it is killed at any time, and repairs a line that was cut short', async () => {
  const names = Array.from({ length: 60 }, (_, n) => `reader-${n}`)
  for (let n = 0; n < names.length; n += 20) {
    const child = follow('--out', at('out'))
    await record(...names.slice(n, n + 20))
    await expect.poll(() => written().length, { timeout: 30_000 }).toBeGreaterThan(n) // some of them
    await end(child, 'SIGKILL')
    appendFileSync(at('out'), '{"chain":"gate","seq":9')
    expect(await followOnce()).toBe(0)
  }
  expect(new Set(written())).toEqual(new Set(names))
})

it('moves the cursor for no line that its reader did not take', async () => {
  await record('a')
  const child = follow()
  const [text] = await once(child.stdout, 'data')
  expect(emailsIn(String(text))).toEqual(['a'])
  child.stdout.destroy() // the reader ends
  const said = child.stderr.toArray()
  await record('b')
  expect(await end(child)).toBe(1)
  expect(Buffer.concat(await said).toString()).toMatch(/the output takes no more lines \(EPIPE\)/)
  expect(await followOnce()).toBe(0)
  expect(written()).toEqual(['b'])
})

it('stays where it was while the output cannot be written', async () => {
  await record('a')
  expect(await followOnce(root)).toBe(1)
  expect(await followOnce()).toBe(0)
  expect(written()).toEqual(['a'])
})

it('ends with 0 when it is told to stop', async () => {
  await record('a')
  const child = follow()
  await once(child.stdout, 'data')
  expect(await end(child, 'SIGTERM')).toBe(0)
})

it.each(['', '{}', '{"chains":{"gate":{"seq":"1","hash":"x"}}}'])(
  'refuses %j as a cursor, instead of beginning somewhere',
  async (text) => {
    await record('a')
    writeFileSync(at('cursor'), text)
    expect(await followOnce()).toBe(1)
    expect(written()).toEqual([])
  },
)
