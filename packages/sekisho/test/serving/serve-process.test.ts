import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { packRelease } from '@sekisho/release/packing'
import { verifyFolderTrail } from '@sekisho/server/audit'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { openSqliteSessions } from '@sekisho/server/sqlite-sessions'
import { findFreePort } from '@sekisho/server/state/testing'
import { ALL_OK, seedSessions } from '@sekisho/server/testing'
import { beforeAll, expect, it } from 'vitest'
import { writeFixtureSite } from '../support/fixture-site.ts'
import { CONTEXT, HOST, SECRET, startServingGate, untilRefused } from '../support/serving-gate.ts'

/** More than the buffers of both ends of a loopback connection take, so that a reader who waits holds the answer up. */
const LARGE_BYTES = 24_000_000

/** Grace period of Cloud Run. */
const STOP_WITHIN_MS = 10_000

const HUNG_DISK = new URL('../support/hung-disk.ts', import.meta.url).href

/** Makes a Node say that it is an older one, so that `sekisho` launches the pinned one. */
const AS_NODE_20 =
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.0.0"}})'

let root: string
let dataDir: string
const large = randomBytes(LARGE_BYTES)
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sekisho-serve-'))
  dataDir = join(root, 'data')
  await writeFixtureSite(join(root, 'build'))
  await writeFile(join(root, 'build', 'img', 'large.png'), large)
  await packRelease({ buildDir: join(root, 'build'), dataDir, clock: Date.now })
})

/** Result of ending a gate whose disk had stopped, once or impatiently. */
let ofHungDisk: ReturnType<typeof endOnHungDisk>
let ofHungDiskInHurry: ReturnType<typeof endOnHungDisk>

it('begins what the last test looks at: it takes as long as all of the others', () => {
  ofHungDisk = endOnHungDisk(join(root, 'hung'))
  ofHungDiskInHurry = endOnHungDisk(join(root, 'hung-hurry'), 1_500)
  for (const one of [ofHungDisk, ofHungDiskInHurry]) one.catch(() => {}) // until somebody looks
})

it('SIGTERM lets a response under way finish, accepts nothing new, loses nothing and exits with 0', async () => {
  const [token = ''] = await seedSessions(dataDir, SECRET, ['a@example.co.jp'], CONTEXT)
  await using gate = await startServingGate({ dataDir })
  const page = await readAll(ask(gate.port, '/docs/secret', token, 'Connection: close'))
  expect(page.toString()).toMatch(/^HTTP\/1\.1 200 /)

  const socket = ask(gate.port, '/img/large.png', token)
  await once(socket, 'readable') // and is not read on: the answer is under way and stays so
  const ended = once(gate.child, 'exit')
  gate.child.kill('SIGTERM')
  gate.child.kill('SIGTERM') // as from a supervisor that tells every process, and a launcher that passes it on
  await untilRefused(gate.port)
  expect(gate.child.exitCode).toBeNull()

  const answer = await readAll(socket)
  const body = answer.subarray(answer.indexOf('\r\n\r\n') + 4)
  expect([body.length, sha256(body)]).toEqual([LARGE_BYTES, sha256(large)])
  expect(await ended, gate.output()).toEqual([0, null])

  expect(await verifyFolderTrail(dataFolderAt(dataDir))).toMatchObject({ ok: true })
  expect(gate.output()).toMatch(/"audit_head","seq":5/) // the policy, the start, the page, the picture and the end: all were written
  const store = openSqliteSessions(join(dataDir, 'sessions.db'), { context: null })
  expect(await store.operators.list()).toMatchObject([{ email: 'a@example.co.jp' }])
  await store.close()
})

it('49 accounts of a provider that the settings name no more are signed out by their next request; the launcher of an older Node opens no debugger', async () => {
  const other = await seedSessions(dataDir, SECRET, ['a@example.co.jp'], CONTEXT, null, 'https://sso.example')
  const own = await seedSessions(dataDir, SECRET, ['a@example.co.jp'], CONTEXT)
  await using gate = await startServingGate({ dataDir, nodeArgs: ['--import', AS_NODE_20] })
  gate.child.kill('SIGUSR1')
  await setTimeout(500)
  const statuses = [...own, ...other, ...own].map(async (token) => {
    const answer = await readAll(ask(gate.port, '/docs/secret', token, 'Connection: close'))
    return answer.toString('latin1').slice(9, 12)
  })
  expect(await Promise.all(statuses)).toEqual(['200', '401', '200'])
  expect(gate.output()).not.toContain('Debugger')
  const ended = once(gate.child, 'exit')
  gate.child.kill('SIGTERM') // which a launcher passes on, as it cannot do with SIGKILL
  await ended
})

it('a later second signal ends it in order, without waiting for a reader', async () => {
  const own = join(root, 'impatient')
  await cp(dataDir, own, { recursive: true })
  const [token = ''] = await seedSessions(own, SECRET, ['b@example.co.jp'], CONTEXT)
  await using gate = await startServingGate({ dataDir: own })
  const socket = ask(gate.port, '/img/large.png', token).on('error', () => {})
  await once(socket, 'readable')
  const ended = once(gate.child, 'exit')
  gate.child.kill('SIGTERM')
  await setTimeout(1_200)
  gate.child.kill('SIGTERM')
  expect(await ended).toEqual([1, null])
  socket.destroy()
  const trail = await readFile(join(own, 'audit', 'gate-000001.jsonl'), 'utf8')
  expect(trail.trimEnd().split('\n').at(-1)).toContain('"event":"gate_stopped"')
})

it('tells of a part that fails on the metrics port, strangers no more than that it does not serve, and opens no debugger', async () => {
  const metricsPort = await findFreePort()
  const own = join(root, 'own')
  await cp(dataDir, own, { recursive: true })
  await using gate = await startServingGate({
    dataDir: own,
    env: {
      ...{ SEKISHO_METRICS_PORT: String(metricsPort), SEKISHO_TRUSTED_PROXIES: '' },
      SEKISHO_ACCEPT_RISKS: 'no-proxy',
    },
  })
  expect(gate.output()).toContain('"event":"risky_setting","code":"no-proxy"')
  gate.child.kill('SIGUSR1')
  await setTimeout(500)
  expect(gate.output()).not.toContain('Debugger')
  const parts = async () => {
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/health`)
    return [answer.status, await answer.json()]
  }
  expect(await parts()).toEqual([200, { status: 'ok', parts: ALL_OK }])
  await rm(join(own, 'sessions.db'))
  await expect.poll(parts).toEqual([503, { status: 'failed', parts: { ...ALL_OK, store: 'failed' } }])
  const answer = await readAll(ask(gate.port, '/__gate/health', '', 'Connection: close'))
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 503 .*"code":"unavailable"\}$/s)
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  expect(metrics).toMatch(/\nsekisho_store_errors_total [1-9]/)
  expect(metrics).toContain('\nsekisho_release_info{id="')
})

it('says a risk at error level and does not start with it, unless it is accepted by name as above', async () => {
  const env = { SEKISHO_TRUSTED_PROXIES: '' }
  await expect(startServingGate({ dataDir, env })).rejects.toThrow(
    /SEKISHO_ACCEPT_RISKS=no-proxy.*"level":"error","event":"risky_setting","code":"no-proxy"/s,
  )
})

it('says that the port of the metrics is taken, and what to set', async () => {
  const taken = createServer()
  await once(taken.listen(0, '127.0.0.1'), 'listening')
  const { port } = taken.address() as { port: number } // a server on TCP
  const env = { SEKISHO_LANG: 'en', SEKISHO_METRICS_PORT: String(port) }
  await expect(startServingGate({ dataDir, env })).rejects.toThrow(
    `the metrics port ${port} is in use; stop the program that uses it, or set SEKISHO_METRICS_PORT to another one`,
  )
  taken.close()
})

it('does not outlive the npm that started it', async () => {
  await using gate = await startServingGate({ dataDir, inShell: true })
  gate.child.kill('SIGKILL') // as npm ends its shell: the signal does not reach what runs in it
  await untilRefused(gate.port)
  await using next = await startServingGate({ dataDir }) // the data folder is free as well
  expect(next.child.exitCode).toBeNull()
})

it.each([
  ['the time of its supervisor', () => ofHungDisk, STOP_WITHIN_MS],
  ['seconds of a second signal', () => ofHungDiskInHurry, 5_000],
])(
  'ends within %s on a disk that has stopped, says what it gives up, and loses nothing that was answered',
  async (_row, end, maxMs) => {
    const { tookMs, signal, output, folder, pages } = await end()
    expect(signal).toBe('SIGKILL') // by itself: nobody else sent one
    expect(tookMs).toBeLessThan(maxMs)
    expect(output).toMatch(/"event":"closing_given_up".*"auditLines":[1-9]\d*,"kept":"handed to the system/)
    const trail = await readFile(join(folder.audit.lines, 'gate-000001.jsonl'), 'utf8')
    expect(pages).toBeGreaterThan(1)
    expect(trail.match(/"event":"page_read"/g)?.length).toBeGreaterThanOrEqual(pages) // on a busy machine the last one was held back
    expect(await verifyFolderTrail(folder)).toMatchObject({ ok: true })
  },
  60_000,
)

async function endOnHungDisk(own: string, secondAfterMs?: number) {
  await cp(dataDir, own, { recursive: true })
  const [reader = '', leaver = ''] = await seedSessions(
    own,
    SECRET,
    ['c@example.co.jp', 'd@example.co.jp'],
    CONTEXT,
  )
  const pipe = join(own, 'hung-disk')
  const env = { SEKISHO_STOP_WITHIN: `${STOP_WITHIN_MS / 1_000}s` }
  await using gate = await startServingGate({ dataDir: own, env, nodeArgs: ['--import', HUNG_DISK] })
  const read = () => readAll(ask(gate.port, '/docs/secret', reader, 'Connection: close'))
  const before = await read()
  execFileSync('mkfifo', [pipe])
  const pages = [before, await read(), await read()].filter((page) => page.includes('HTTP/1.1 200 '))
  const leaving = ask(gate.port, '/__gate/session', leaver, `Origin: ${CONTEXT.origin}`, 'DELETE')
  const answer = readAll(leaving).catch(() => Buffer.alloc(0))
  await setTimeout(300) // until the sign-out hangs in its commit
  const sinceMs = performance.now()
  const ended = once(gate.child, 'exit')
  gate.child.kill('SIGTERM')
  if (secondAfterMs !== undefined) {
    await setTimeout(secondAfterMs)
    gate.child.kill('SIGTERM')
  }
  const [, signal] = await ended
  const tookMs = performance.now() - sinceMs
  expect(String(await answer)).not.toMatch(/ 20\d /) // who was not signed out is not told so
  return { tookMs, signal, output: gate.output(), folder: dataFolderAt(own), pages: pages.length }
}

function ask(port: number, path: string, token: string, header = 'Accept: */*', method = 'GET'): Socket {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${HOST}`, `Cookie: __Host-sekisho=${token}`, header]
  const socket = connect(port, '127.0.0.1')
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return socket
}

async function readAll(socket: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  return Buffer.concat(chunks)
}
