import { once } from 'node:events'
import { openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cookieNames } from '@sekisho/contract/cookies'
import { packRelease } from '@sekisho/release/packing'
import { seedSessions } from '@sekisho/server/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeFixtureSite } from '../support/fixture-site.ts'
import { CONTEXT, HOST, type Output, SECRET, startServingGate } from '../support/serving-gate.ts'

const COOKIE = cookieNames(true).session
/** Requests of signed-in readers have a line each: of some 280 bytes, far more than a pipe and what the gate holds. */
const REQUESTS = 12_000
/** Each has 600 lines a minute. */
const READERS = 40
const DROPPED = /"level":"warn","event":"log_lines_dropped","count":(\d+)\}\n/g

let root: string
let dataDir: string
let tokens: readonly string[]

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sekisho-output-'))
  dataDir = join(root, 'data')
  await writeFixtureSite(join(root, 'build'))
  await packRelease({ buildDir: join(root, 'build'), dataDir, clock: Date.now })
  const emails = Array.from({ length: READERS }, (_, at) => `r${at}@example.co.jp`)
  tokens = await seedSessions(dataDir, SECRET, emails, CONTEXT)
})
afterAll(() => rm(root, { recursive: true }))

it.each<[what: string, command: { isLocal: boolean }, stdout: Output, stderr: Output]>([
  ['standard output of a full disk', { isLocal: false }, openSync('/dev/full', 'w'), 'read'],
  ['standard error whose reader exits', { isLocal: true }, 'read', 'unread'],
])('%s ends no gate', async (_row, command, stdout, stderr) => {
  await using gate = await startServingGate({ dataDir, ...command, stdio: { stdout, stderr } })
  if (stderr === 'unread') gate.child.stderr?.destroy()
  const host = command.isLocal ? `localhost:${gate.port}` : HOST
  for (let round = 0; round < 3; round += 1) await ask(gate.port, 10, host)
  expect([gate.child.exitCode, gate.child.signalCode]).toEqual([null, null])
  const ended = once(gate.child, 'exit')
  gate.child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

it('an unread pipe stalls no request and grows no memory; the count is reported when it is read again', async () => {
  await using gate = await startServingGate({ dataDir, stdio: { stdout: 'unread', stderr: 'read' } })
  await ask(gate.port, REQUESTS)

  const chunks: string[] = []
  gate.child.stdout?.setEncoding('utf8').on('data', (text) => chunks.push(text))
  const kept = () => chunks.join('').split('"event":"request"').length - 1
  const dropped = () =>
    [...chunks.join('').matchAll(DROPPED)].reduce((sum, [, count]) => sum + Number(count), 0)
  await expect.poll(() => kept() + dropped()).toBeGreaterThanOrEqual(REQUESTS)
  const held = chunks.join('')
  expect(held.length).toBeLessThan(1_500_000) // what it held, and the pipe; all lines are some 3 MB
  await ask(gate.port, 1)
  await expect.poll(() => chunks.join('').slice(held.length)).toContain('"event":"request"')
})

it('SIGTERM ends a gate whose log is unread', async () => {
  await using gate = await startServingGate({ dataDir, stdio: { stdout: 'unread', stderr: 'read' } })
  await ask(gate.port, REQUESTS / 6) // several times what the pipe holds
  const ended = once(gate.child, 'exit')
  gate.child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

/** Asks for a page again and again on one connection, as each reader in turn; resolves once all are answered. */
async function ask(port: number, count: number, host = HOST): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  const head = (at: number) =>
    `GET /docs/secret HTTP/1.1\r\nHost: ${host}\r\nCookie: ${COOKIE}=${tokens[at % READERS]}\r\n`
  socket.write(Array.from({ length: count - 1 }, (_, at) => `${head(at)}\r\n`).join(''))
  socket.end(`${head(count)}Connection: close\r\n\r\n`)
  let answers = 0
  for await (const chunk of socket) answers += String(chunk).split('HTTP/1.1 ').length - 1
  expect(answers).toBeGreaterThan(count * 0.95) // one that begins at the end of a chunk is not seen
}
