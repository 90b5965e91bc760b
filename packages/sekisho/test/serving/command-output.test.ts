import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openFolderTrail } from '@sekisho/server/audit'
import { dataFolderAt, makeDataFolder } from '@sekisho/server/data-folder'
import { digestOfRules } from '@sekisho/server/settings'
import { beforeAll, expect, it } from 'vitest'

const BIN = fileURLToPath(new URL('../../bin/sekisho.mjs', import.meta.url))
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sekisho-output-'))
  const folder = dataFolderAt(dataDir)
  makeDataFolder(folder)
  const audit = await openFolderTrail(folder, { now: () => Date.now() - 1_000, onFailure: () => {} })
  const rules = ['emails a@example.co.jp']
  const policy = digestOfRules(rules)
  audit.record('policy_rules', { policy, part: 1, parts: 1, rules })
  audit.record('gate_started', { policy })
  await audit.close()
})

const run = (...args: string[]) =>
  spawn(process.execPath, [BIN, ...args, '--data-dir', dataDir, '--lang', 'en'])

it('a review on standard output is, byte for byte, the table whose digest the trail has', async () => {
  const child = run('access', 'review')
  const [text, said] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()])
  const table = Buffer.concat(text)
  expect(Buffer.concat(said).toString()).toBe('')
  expect(table.toString()).toMatch(/^\uFEFF.*\r\n.*a@example\.co\.jp.*\r\n$/s)
  const acts = await readFile(join(dataDir, 'audit', 'operator-000001.jsonl'), 'utf8')
  expect(acts).toContain(`"sha256":"${hash('sha256', table)}"`)
})

it.each(['stdout', 'stderr'] as const)(
  'whoever stops reading %s gets no stack, and the command ends',
  async (name) => {
    const child = run(...(name === 'stdout' ? ['audit', 'verify'] : ['audit', 'nonsense']))
    child[name].destroy()
    const other = name === 'stdout' ? child.stderr : child.stdout
    const [said, [code, signal]] = await Promise.all([other.toArray(), once(child, 'exit')])
    expect([Buffer.concat(said).toString(), signal]).toEqual(['', null])
    expect(code).toBe(name === 'stdout' ? 0 : 2)
  },
)
