import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type ClientHttp2Stream, connect as connectHttp2, constants } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { parseArgs } from 'node:util'
import { cookieNames } from '@sekisho/contract/cookies'
import { entryDocument } from '@sekisho/contract/preview-entry'
import { ROUTES } from '@sekisho/contract/routes'
import { openPreviewStore, publishRelease, releasesDirOf } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { findFreePort } from '@sekisho/server/state/testing'
import { seedSessions } from '@sekisho/server/testing'
import { BytesResponse, createNodeServer } from '@sekisho/wire'
import { runVerify } from '../../packages/sekisho/src/commands/verify/verify.ts'
import { PAGES, writeFixtureSite } from '../../packages/sekisho/test/support/fixture-site.ts'
import { CONTEXT, HOST, SECRET, startServingGate } from '../../packages/sekisho/test/support/serving-gate.ts'
import { type Relay, startRelay } from './relay.ts'
import { upgradeBehindHaproxy } from './rolling.ts'
import { PROXIES, type ProxyRecipe, startProxy } from './start-proxy.ts'

/**
 * Tries the recipes of `deploy/proxies` before a gate on loopback: `npm run proxies [-- NAME … --full]`. Health, pages over HTTP/2 and TLS,
 * `sekisho verify` (`--quick` by default), and previews. `--rolling` instead replaces three gates in turn and counts refused requests.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { full: { type: 'boolean', default: false }, rolling: { type: 'boolean', default: false } },
})

interface Answer {
  readonly status: number
  readonly body: string
}

const PREVIEW = 'pr-12'
const failures: string[] = []
function check(holds: boolean, what: string): void {
  console.log(`  ${holds ? '✔' : '✖'} ${what}`)
  if (!holds) failures.push(what)
}

async function tryRecipe(proxy: ProxyRecipe, root: string, gatePort: number, cookie: string): Promise<void> {
  const folder = join(root, proxy.debianPackage)
  await mkdir(folder)
  for (const file of ['cert.pem', 'key.pem', 'both.pem']) await copyFile(join(root, file), join(folder, file))
  await using relay = await startRelay(gatePort)
  const port = await findFreePort()
  await using _running = await startProxy(proxy, { folder, port, gatePort: relay.port })
  const ca = await readFile(join(root, 'cert.pem'))

  await askOverHttp2(port, ca, cookie, relay)
  const url = `https://127.0.0.1:${port}`
  const exitCode = await runVerify(
    [
      ...(values.full ? [] : ['--quick']),
      '--url',
      url,
      '--host',
      HOST,
      '--reader',
      join(root, 'reader'),
      '--ca',
      join(root, 'cert.pem'),
      '--data-dir',
      join(root, 'data'),
    ],
    {
      env: {},
      cwd: root,
      clock: Date.now,
      print: (text) => console.log(indent(text)),
      complain: console.error,
    },
  )
  check(exitCode === 0, 'sekisho verify finds it closed')
  if (proxy.checksHealth) check(await hasCheckedHealth(relay), 'the health check asks by address')
}

/** Browsers use one connection for all names of a certificate, so previews are asked for over the portal's. */
async function tryPreviews(proxy: ProxyRecipe, root: string, gatePort: number): Promise<void> {
  const folder = join(root, proxy.debianPackage)
  await using relay = await startRelay(gatePort)
  const port = await findFreePort()
  await using _running = await startProxy(proxy, { folder, port, gatePort: relay.port, hasPreviews: true })
  using session = openHttp2(port, await readFile(join(root, 'cert.pem')))
  const portal = await session.ask(HOST, '/docs/secret')
  check(portal.status === 401 && portal.body.includes('ログイン'), 'with previews: the portal answers')
  const preview = await session.ask(`${PREVIEW}--${HOST}`, '/docs/base/')
  check(preview.status === 401 && preview.body === entryDocument(), 'with previews: a preview shows its door')
  const passed = relay.seen('/docs/base/').requests.map((request) => request.toLowerCase())
  check(
    passed.length === 1 && passed.every((request) => request.includes(`host: ${PREVIEW}--${HOST}\r\n`)),
    'with previews: its name is passed on',
  )
  const unknown = await session.ask(`nobody--${HOST}`, '/docs/base/')
  check(unknown.status === 400, `with previews: a name that no preview has is unknown (${unknown.status})`)
}

/** A reader who reloads a page while no gate answers is told so by a page, and not by the browser. */
async function tryWithoutGate(proxy: ProxyRecipe, root: string): Promise<void> {
  const folder = join(root, proxy.debianPackage)
  const port = await findFreePort()
  await using _running = await startProxy(proxy, { folder, port, gatePort: await findFreePort() })
  using session = openHttp2(port, await readFile(join(root, 'cert.pem')))
  const { status, body } = await session.ask(HOST, '/docs/base/')
  const isOurs = [502, 503, 504].includes(status) && body.includes('いま開けません')
  check(isOurs, `without a gate: a page says so (${status})`)
}

/** An event stream passes as it comes, and ends at the gate within a second of the reader's leaving. */
async function tryStreaming(proxy: ProxyRecipe, root: string): Promise<void> {
  const folder = join(root, proxy.debianPackage)
  const cancelled = Promise.withResolvers<boolean>()
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const events = writable.getWriter()
  events.closed.catch(() => cancelled.resolve(true))
  const server = createNodeServer({ refusalResponse: ({ status }) => new BytesResponse(null, { status }) })
  const gatePort = await server.listen(0, '127.0.0.1')
  const headers = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' }
  const handle = ({ url }: { readonly url: string }) =>
    url.endsWith('/stream') ? new Response(readable, { headers }) : new Response(null)
  server.attach({
    origin: new URL(`https://${HOST}`),
    hostIndependentTargets: new Set([ROUTES.health.path]),
    handle,
  })
  const port = await findFreePort()
  await using _running = await startProxy(proxy, { folder, port, gatePort })
  using session = openHttp2(port, await readFile(join(root, 'cert.pem')))
  const stream = session.open(HOST, '/stream')
  let received = ''
  stream.on('data', (chunk) => (received += chunk))
  for (const event of ['one', 'two']) {
    await events.write(new TextEncoder().encode(`data: ${event}\n\n`))
    for (let waits = 0; waits < 50 && !received.includes(event); waits += 1)
      await new Promise((resolve) => setTimeout(resolve, 100))
    check(received.endsWith(`data: ${event}\n\n`), `an event stream is not held back: ${event}`)
  }
  stream.close(constants.NGHTTP2_CANCEL)
  setTimeout(cancelled.resolve, 1_000, false)
  check(await cancelled.promise, 'the gate knows within a second that a reader left')
  await server.close(0)
}

/** Our own requests for the health name the portal. */
async function hasCheckedHealth(relay: Relay): Promise<boolean> {
  const isCheck = (request: string) => !request.toLowerCase().includes(`host: ${HOST}`)
  for (let waits = 0; waits < 60; waits += 1) {
    if (relay.seen(ROUTES.health.path).requests.some(isCheck)) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}

interface Http2 extends Disposable {
  ask(host: string, path: string, headers?: Record<string, string>, body?: string): Promise<Answer>
  open(host: string, path: string): ClientHttp2Stream
}

function openHttp2(port: number, ca: Buffer): Http2 {
  const session = connectHttp2(`https://${HOST}`, {
    createConnection: () =>
      connectTls({ host: '127.0.0.1', port, servername: HOST, ca, ALPNProtocols: ['h2'] }),
  })
  const ask: Http2['ask'] = (host, path, headers = {}, sent) =>
    new Promise((resolve, reject) => {
      const stream = session.request({ ':authority': host, ':path': path, accept: 'text/html', ...headers })
      let status = 0
      let body = ''
      stream.setEncoding('utf8')
      stream.on('response', (answer) => {
        status = Number(answer[':status'])
      })
      stream.on('data', (chunk: string) => {
        body += chunk
      })
      stream.on('end', () => resolve({ status, body }))
      stream.on('error', reject)
      stream.end(sent)
    })
  const open: Http2['open'] = (host, path) => session.request({ ':authority': host, ':path': path })
  return { ask, open, [Symbol.dispose]: () => session.close() }
}

async function askOverHttp2(port: number, ca: Buffer, cookie: string, relay: Relay): Promise<void> {
  using session = openHttp2(port, ca)
  const health = await session.ask(HOST, ROUTES.health.path)
  check(health.status === 200, `health over HTTP/2: ${health.status} ${health.body}`)
  for (const { path, secret } of PAGES) {
    const headers = { cookie, 'x-forwarded-for': '203.0.113.9' }
    const { status, body } = await session.ask(HOST, encodeURI(path), headers)
    check(status === 200 && body.includes(secret), `a reader gets ${path}`)
  }
  const stranger = await session.ask(HOST, '/docs/secret')
  check(stranger.status === 401 && stranger.body.includes('ログイン'), 'a stranger gets the login page')
  const { connections, requests } = relay.seen('/docs/secret')
  const lines = requests.map((request) => request.toLowerCase().split('\r\n'))
  check(
    connections === 1 && requests.length === 2,
    `connections to the gate stay open (${requests.length} requests over ${connections})`,
  )
  check(
    lines.every((request) => request.includes(`host: ${HOST}`)),
    'Host is passed on',
  )
  const forwarded = lines.map((request) =>
    request.filter((line) => line.startsWith('x-forwarded-for:')).join(),
  )
  check(
    forwarded.every((line) => line === 'x-forwarded-for: 127.0.0.1'),
    `X-Forwarded-For is the client's address alone`,
  )
  // No Content-Length, as HTTP/2 allows: the proxy may pass the body on in chunks.
  const post = { ':method': 'POST', 'content-type': 'application/json', origin: `https://${HOST}` }
  const posted = await session.ask(HOST, ROUTES.session.path, post, '{"token":"none"}')
  check(posted.status === 400 || posted.status === 401, `a POST without a length is read: ${posted.status}`)
  const tooLong = await session.ask(HOST, ROUTES.session.path, post, 'x'.repeat(100_000))
  check(tooLong.status === 413, `a long POST without a length is refused: ${tooLong.status}`)
}

async function tryRolling(root: string): Promise<void> {
  const seed = (databaseUrl: string) =>
    seedSessions(join(root, 'seed'), SECRET, ['a@example.co.jp'], CONTEXT, databaseUrl)
  const seen = await upgradeBehindHaproxy(root, async (databaseUrl) => (await seed(databaseUrl))[0] ?? '')
  if (seen === null) return console.log('  – not tried: no PostgreSQL for this platform')
  const { requests, refused } = seen
  const count = [...refused.values()].reduce((sum, n) => sum + n, 0)
  check(
    requests > 1_000 && count === 0,
    `three gates replaced: ${count} of ${requests} requests refused ${JSON.stringify([...refused])}`,
  )
}

function makeCertificate(folder: string): void {
  const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST},DNS:*.example.co.jp`]
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'key.pem']
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...key, '-out', 'cert.pem', ...subject], {
    cwd: folder,
    stdio: 'pipe',
  })
}

const indent = (text: string) => text.replace(/^/gm, '    ')

const root = await mkdtemp(join(tmpdir(), 'sekisho-proxies-'))
try {
  makeCertificate(root)
  await writeFile(
    join(root, 'both.pem'),
    [await readFile(join(root, 'cert.pem')), await readFile(join(root, 'key.pem'))].join(''),
  )
  await writeFixtureSite(join(root, 'build'))
  const dataDir = join(root, 'data')
  const { id } = await packRelease({ buildDir: join(root, 'build'), dataDir, clock: Date.now })
  const previews = openPreviewStore({ folder: dataDir })
  const nowMs = Date.now()
  await previews.describe({
    ...{ name: PREVIEW, branch: 'main', commit: '0123abc' },
    ...{ createdAtMs: nowMs, expiresAtMs: nowMs + 86_400_000 },
  })
  const store = previews.open(PREVIEW)
  await publishRelease({ releasesDir: releasesDirOf(dataDir), id, from: await store.readPointer() }, store)
  const [token] = await seedSessions(dataDir, SECRET, ['sato@example.co.jp'], CONTEXT)
  const cookie = `${cookieNames(true).session}=${token}`
  await writeFile(join(root, 'reader'), cookie, { mode: 0o600 })
  await using gate = await startServingGate({ dataDir })
  const wanted = PROXIES.filter(
    ({ debianPackage }) => positionals.length === 0 || positionals.includes(debianPackage),
  )
  if (values.rolling) {
    await tryRolling(root)
  }
  for (const proxy of values.rolling ? [] : wanted) {
    console.log(`${proxy.name} (deploy/proxies/${proxy.file})`)
    if (existsSync(proxy.binary)) {
      await tryRecipe(proxy, root, gate.port, cookie)
      await tryPreviews(proxy, root, gate.port)
      await tryWithoutGate(proxy, root)
      await tryStreaming(proxy, root)
    } else
      console.log(
        `  – not tried: ${proxy.binary} is missing; the Debian package is called ${proxy.debianPackage}`,
      )
  }
} finally {
  await rm(root, { recursive: true, force: true })
}
if (failures.length > 0) process.exitCode = 1
