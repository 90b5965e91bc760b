import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createNodeServer, type NodeServer, type Service } from './server.ts'
import { BytesResponse } from './writing/bytes-response.ts'

const HOST = 'portal.test'
let server: NodeServer
let port: number
const seen: string[] = []
const refused: number[] = []
const reasons: string[] = []
/** Other services, by the path given to `findOther`. */
const others = new Map<string, Service>()

beforeAll(async () => {
  server = createNodeServer({
    refusalResponse: ({ status }) =>
      new BytesResponse(null, { status, headers: { 'Cache-Control': 'private, no-store' } }),
    onRefused({ status, reason }) {
      refused.push(status)
      reasons.push(reason)
    },
    headersTimeoutMs: 1_000,
    maxConnections: 20,
  })
  port = await server.listen(0, '127.0.0.1')
  server.attach(
    {
      origin: new URL(`https://${HOST}`),
      hostIndependentTargets: new Set(['/health']),
      maxBodyBytes: ({ url, headers }) =>
        url.endsWith('/long') && headers.get('Authorization') === 'Bearer holder' ? 200_000 : 0,
      async handle(request, peer) {
        seen.push(`${request.method} ${request.url}`)
        const body =
          request.method === 'POST'
            ? await new Response(request.body).text()
            : `reached by ${peer.remoteAddress}`
        return new Response(body, { headers: { 'Content-Length': String(body.length) } })
      },
    },
    (host) => others.get(host) ?? null,
  )
})
afterAll(() => server.close(100))

/** Writes bytes to the socket as they are and resolves to whatever came back until the connection ended. */
function raw(bytes: string, options: { stayOpen?: boolean } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? null : reject(error)))
    socket.write(Buffer.from(bytes, 'latin1'))
    if (options.stayOpen !== true) setTimeout(() => socket.end(), 150)
  })
}

const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nHost: ${HOST}\r\n${headers}\r\n`
const statusOf = (answer: string) => Number(answer.slice(9, 12))

const ROWS: readonly (readonly [row: string, bytes: string, status: number])[] = [
  ['a plain request', get('/docs?x=1'), 200],
  ['18 absolute form for us', get(`https://${HOST}/docs`), 200],
  ['18 absolute form for another host', get('http://evil/docs/secret'), 400],
  ['18 absolute form with user info', get(`http://x@${HOST}/docs`), 400],
  ['18 authority as prefix of another', get(`http://${HOST}.evil/docs`), 400],
  ['18 asterisk form', `OPTIONS * HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`, 400],
  ['18 CONNECT', `CONNECT ${HOST}:443 HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`, 400],
  ['2 leading double slash', get('//evil/docs'), 200],
  ['3 raw backslash', get('/docs\\secret'), 400],
  ['8 raw dot segments', get('/public/../docs/secret'), 400],
  ['8 raw single dot', get('/./docs/secret'), 400],
  ['7 encoded dot segments', get('/public/%2e%2e/docs/secret'), 400],
  ['10 raw hash', get('/public#/docs/secret'), 400],
  ['15 raw tab', get('/docs/\tsecret'), 400],
  ['16 raw UTF-8', get(Buffer.from('/docs/環境').toString('latin1')), 400],
  ['16 raw byte', get('/docs/\xff'), 400],
  ['19 no Host', 'GET /docs HTTP/1.1\r\n\r\n', 400],
  ['19 HTTP/1.0 without Host', 'GET /docs HTTP/1.0\r\n\r\n', 400],
  ['19 two Hosts', get('/docs', `Host: ${HOST}\r\n`), 400],
  ['19 two Hosts, one foreign', get('/docs', 'hOST: evil\r\n'), 400],
  ['19 wrong Host', 'GET /docs HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
  ['19 Host with port', `GET /docs HTTP/1.1\r\nHost: ${HOST}:1\r\n\r\n`, 400],
  ["19 Host with the scheme's own port", `GET /docs HTTP/1.1\r\nHost: ${HOST}:443\r\n\r\n`, 200],
  ["19 Host with another scheme's port", `GET /docs HTTP/1.1\r\nHost: ${HOST}:80\r\n\r\n`, 400],
  ['19 Host with a port of nothing', `GET /docs HTTP/1.1\r\nHost: ${HOST}:\r\n\r\n`, 400],
  ['19 Host with a longer port', `GET /docs HTTP/1.1\r\nHost: ${HOST}:0443\r\n\r\n`, 400],
  ['19 absolute form with the port', get(`https://${HOST}:443/docs`), 400],
  ['any Host', 'GET /health HTTP/1.1\r\nHost: 192.0.2.1:3000\r\n\r\n', 200],
  ['any Host, HEAD', 'HEAD /health HTTP/1.1\r\nHost: evil\r\n\r\n', 200],
  ['any Host, HTTP/1.0 without one', 'GET /health HTTP/1.0\r\n\r\n', 200],
  ['any Host, HTTP/1.1 without one', 'GET /health HTTP/1.1\r\n\r\n', 400],
  ['any Host, two of them', 'GET /health HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n', 400],
  ['any Host, POST', 'POST /health HTTP/1.1\r\nHost: evil\r\n\r\n', 400],
  ['any Host, a query', 'GET /health?x HTTP/1.1\r\nHost: evil\r\n\r\n', 400],
  ['any Host, a longer path', 'GET /health/ HTTP/1.1\r\nHost: evil\r\n\r\n', 400],
  ['any Host, encoded', 'GET /%68ealth HTTP/1.1\r\nHost: evil\r\n\r\n', 400],
  ['any Host, dot segments', 'GET /health/../docs HTTP/1.1\r\nHost: evil\r\n\r\n', 400],
  ['any Host, absolute form', 'GET http://evil/health HTTP/1.1\r\nHost: evil\r\n\r\n', 400],
  ['19 Host with trailing dot', `GET /docs HTTP/1.1\r\nHost: ${HOST}.\r\n\r\n`, 400],
  ['19 Host in upper case', `GET /docs HTTP/1.1\r\nHost: ${HOST.toUpperCase()}\r\n\r\n`, 200],
  ['21 long path', get(`/${'a'.repeat(9_000)}`), 414],
  ['21 query of 1 MB', get(`/?${'a'.repeat(1_000_000)}`), 431],
  ['21 long query that does not end', `GET /docs?q=${'a'.repeat(20_000)}`, 431],
  ['21 500 headers', get('/docs', 'A: 1\r\n'.repeat(500)), 431],
  ['21 huge header', get('/docs', `A: ${'a'.repeat(20_000)}\r\n`), 431],
  ['22 TRACE', `TRACE /docs HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`, 405],
  ['22 made-up method', `HACK /docs HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`, 400],
  ['22 lower-case method', `get /docs HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`, 400],
  [
    '33 Content-Length and chunked',
    post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    400,
  ],
  ['33 two Content-Lengths', post('Content-Length: 5\r\nContent-Length: 6\r\n', 'hello'), 400],
  ['33 other transfer coding', post('Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'), 400],
  ['21 declared body of 1 GB', post('Content-Length: 1000000000\r\n', 'x'), 413],
  ['33 a body in chunks', post('Transfer-Encoding: chunked\r\n', `5\r\nhello\r\n0\r\n\r\n`), 200],
  ['21 a chunk of 4 GB', post('Transfer-Encoding: chunked\r\n', 'ffffffff\r\nx'), 413],
  [
    '21 chunks that are too long together',
    post('Transfer-Encoding: chunked\r\n', `${`8000\r\n${'x'.repeat(0x8000)}\r\n`.repeat(2)}1\r\nx\r\n`),
    413,
  ],
  [
    '33 a chunk size of 9 digits',
    post('Transfer-Encoding: chunked\r\n', '000000005\r\nhello\r\n0\r\n\r\n'),
    400,
  ],
  ['33 an extension of a chunk', post('Transfer-Encoding: chunked\r\n', '5;a=b\r\nhello\r\n0\r\n\r\n'), 400],
  ['33 a trailer', post('Transfer-Encoding: chunked\r\n', '5\r\nhello\r\n0\r\nHost: evil\r\n\r\n'), 400],
  ['33 a bare LF in chunks', post('Transfer-Encoding: chunked\r\n', '5\nhello\r\n0\r\n\r\n'), 400],
  ['33 a chunk longer than its size', post('Transfer-Encoding: chunked\r\n', '4\r\nhello\r\n0\r\n\r\n'), 400],
  ['a body', post('Content-Length: 5\r\n', 'hello'), 200],
  ['33 obsolete line folding', get('/docs', 'A: 1\r\n b\r\n'), 400],
  ['33 LF only', `GET /docs HTTP/1.1\nHost: ${HOST}\n\n`, 400],
  ['33 space before colon', get('/docs', 'A : 1\r\n'), 400],
  ['33 NUL in a header', get('/docs', 'A: \x001\r\n'), 400],
  ['36 upgrade to websocket', get('/docs', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'), 200],
  [
    '36 upgrade to h2c',
    get('/docs', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAM\r\n'),
    200,
  ],
  ['36 unknown expectation', post('Expect: tea\r\nContent-Length: 5\r\n', ''), 417],
]

function post(headers: string, body: string): string {
  return `POST /docs HTTP/1.1\r\nHost: ${HOST}\r\n${headers}\r\n${body}`
}

describe('the wire', () => {
  it.each(ROWS)('%s', async (_row, bytes, status) => {
    seen.length = 0
    refused.length = 0
    const answer = await raw(bytes)
    expect(statusOf(answer), answer).toBe(status)
    expect(seen.length).toBe(status === 200 ? 1 : 0)
    expect(refused).toEqual(status === 200 ? [] : [status])
    if (status !== 200) expect(answer).toMatch(/cache-control: private, no-store/i)
  })

  it('33 reads nothing behind a refused request', async () => {
    seen.length = 0
    const answer = await raw(post('Transfer-Encoding: x, chunked\r\n', `0\r\n\r\n${get('/docs/secret')}`))
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    expect(seen).toEqual([])
  })

  it('names the allowed methods when it refuses TRACE', async () => {
    expect(await raw(`TRACE /docs HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`)).toMatch(/\r\nallow: GET, HEAD\r\n/)
  })

  it('says why it refused, with what the client sent cut short and without control characters', async () => {
    reasons.length = 0
    await raw(`GET /docs HTTP/1.1\r\nHost: a"\tb${'c'.repeat(500)}\r\n\r\n`)
    expect(reasons).toEqual([`Host "a\\"\\tb${'c'.repeat(96)}…", expected "${HOST}"`])
  })

  it('answers a client that waits for 100 Continue before it reads the body', async () => {
    const socket = connect(port, '127.0.0.1')
    const received: string[] = []
    socket.on('data', (chunk) => received.push(String(chunk)))
    socket.write(post('Expect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n', ''))
    await expect.poll(() => received.join('')).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write('hello')
    await expect.poll(() => received.join('')).toMatch(/Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n.*hello$/s)
    socket.destroy()
  })

  it('sends no 100 Continue for a body that it would refuse or has', async () => {
    const refusedBody = await raw(post('Expect: 100-continue\r\nContent-Length: 1000000\r\n', ''))
    const foreign = await raw(
      'POST /docs HTTP/1.1\r\nHost: evil\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n',
    )
    const sent = await raw(post('Expect: 100-continue\r\nContent-Length: 5\r\n', 'hello'))
    expect([refusedBody, foreign, sent].map(statusOf)).toEqual([413, 400, 200])
  })

  it('takes a long body where the service says so, by its path and its credentials, and no longer one', async () => {
    const long = (path: string, credentials: string, bytes: number) =>
      raw(
        `POST ${path} HTTP/1.1\r\nHost: ${HOST}\r\nAuthorization: Bearer ${credentials}\r\nContent-Length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`,
      )
    const answers = await Promise.all([
      long('/long', 'holder', 200_000),
      long('/long', 'holder', 200_001),
      long('/long', 'stranger', 70_000),
      long('/docs', 'holder', 70_000),
      long('/docs', 'stranger', 60_000),
    ])
    expect(answers.map(statusOf)).toEqual([200, 413, 413, 413, 200])
    const inChunks = (credentials: string, ...sizes: readonly number[]) =>
      raw(
        `POST /long HTTP/1.1\r\nHost: ${HOST}\r\nAuthorization: Bearer ${credentials}\r\nTransfer-Encoding: chunked\r\n\r\n` +
          sizes.map((size) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`).join(''),
      )
    const chunked = await Promise.all([
      inChunks('holder', 100_000, 100_000, 0),
      inChunks('holder', 100_000, 100_001),
      inChunks('stranger', 65_536, 1),
      inChunks('stranger', 65_535, 1, 0),
    ])
    expect(chunked.map(statusOf)).toEqual([200, 413, 413, 200])
  })

  it('keeps the connection usable after an unexpected body', async () => {
    const chunked = post('Transfer-Encoding: chunked\r\n', '5\r\nhello\r\n0\r\n\r\n')
    const answer = await raw(post('Content-Length: 5\r\n', 'hello') + chunked + get('/docs'))
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(3)
  })

  it('hands the double slash on as it is, for the gate to refuse', async () => {
    seen.length = 0
    await raw(get('//evil/docs'))
    expect(seen).toEqual([`GET https://${HOST}//evil/docs`])
  })

  it('ends a connection that never finishes its request header', async () => {
    const answer = await raw(`GET /docs HTTP/1.1\r\nHost: ${HOST}\r\n`, { stayOpen: true })
    expect(statusOf(answer)).toBe(408)
  })

  it('serves a reader while silent connections fill the table', async () => {
    const silent = Array.from({ length: 60 }, () => connect(port, '127.0.0.1').on('error', () => {}))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(statusOf(await raw(get('/docs')))).toBe(200)
    for (const socket of silent) socket.destroy()
  })

  it('believes no X-Forwarded-For from a stranger', async () => {
    expect(await raw(get('/docs', 'X-Forwarded-For: 8.8.8.8\r\n'))).toContain('reached by 127.0.0.1')
  })
})

describe('closing', () => {
  it('lets an answer under way finish and refuses new connections', async () => {
    const slow = createNodeServer({
      refusalResponse: ({ status }) =>
        new BytesResponse(null, { status, headers: { 'Cache-Control': 'private, no-store' } }),
    })
    const slowPort = await slow.listen(0, '127.0.0.1')
    const origin = new URL(`http://localhost:${slowPort}`)
    const entered = Promise.withResolvers<void>()
    slow.attach({
      origin,
      async handle() {
        entered.resolve()
        await new Promise((resolve) => setTimeout(resolve, 200))
        return new Response('finished')
      },
    })
    const answer = fetch(origin)
    await entered.promise
    await slow.close(600_000) // far beyond the test's own limit: only the end of the answer can end this
    expect(await (await answer).text()).toBe('finished')
    await expect(fetch(`${origin.origin}/`)).rejects.toThrow()
  })
})

describe('several origins on one server', () => {
  const OTHER = `pr-1--${HOST}`
  const text = (body: string) => new Response(body, { headers: { 'Content-Length': String(body.length) } })
  const other: Service = {
    origin: new URL(`https://${OTHER}`),
    handle: ({ url }) => text(`the other ${url}`),
  }
  const ask = (host: string, target = '/docs', rest = '') =>
    raw(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${rest}\r\n`)
  beforeAll(() => {
    for (const host of [OTHER, `${OTHER}:443`, 'mistaken.test']) others.set(host, other)
  })
  afterAll(() => others.clear())

  it.each([OTHER, OTHER.toUpperCase(), `${OTHER}:443`])('%s is answered by its own service', async (host) => {
    expect(await ask(host)).toContain(`the other https://${OTHER}/docs`)
  })
  it('the first is still answered by its own', async () => {
    expect(await ask(HOST)).toContain('reached by 127.0.0.1')
  })
  it.each([
    ['unknown', `pr-2--${HOST}`],
    ['with another port', `${OTHER}:8443`],
    ['with a dot at the end', `${OTHER}.`],
    ['below another', `x.${OTHER}`],
    ['of another, which a mistaken table knows', 'mistaken.test'],
  ])('a Host %s is refused, not repaired', async (_what, host) => {
    expect(statusOf(await ask(host))).toBe(400)
  })
  it('the absolute form must name the host that Host names', async () => {
    expect(statusOf(await ask(OTHER, `https://${HOST}/docs`))).toBe(400)
    expect(statusOf(await ask(HOST, `https://${OTHER}/docs`))).toBe(400)
    expect(await ask(OTHER, `https://${OTHER}/docs`)).toContain(`the other https://${OTHER}/docs`)
  })
  it('a connection serves both, each request for itself', async () => {
    const pair = `GET /a HTTP/1.1\r\nHost: ${OTHER}\r\n\r\nGET /b HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`
    const answer = await raw(pair)
    expect(answer.indexOf('the other')).toBeGreaterThan(0)
    expect(answer.indexOf('reached by')).toBeGreaterThan(answer.indexOf('the other'))
  })
  it('one that is gone is an unknown host from then on', async () => {
    others.delete(OTHER)
    expect(statusOf(await ask(OTHER))).toBe(400)
  })
})
