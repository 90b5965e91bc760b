import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GateRequest, GateResponse } from './messages.ts'
import { createNodeServer } from './server.ts'
import { BytesResponse } from './writing/bytes-response.ts'

const HOST = 'portal.test'
const problems: unknown[] = []
const seen: string[] = []
let respond: (request: GateRequest) => GateResponse | Promise<GateResponse> = async () => text('ok')
const server = createNodeServer({
  refusalResponse: ({ status }) =>
    new BytesResponse(null, { status, headers: { 'Cache-Control': 'private, no-store' } }),
  headersTimeoutMs: 1_000,
  requestTimeoutMs: 1_500,
  onProblem: (problem) => problems.push(problem),
})
let port: number

beforeAll(async () => {
  port = await server.listen(0, '127.0.0.1')
  server.attach({
    origin: new URL(`https://${HOST}`),
    handle(request) {
      seen.push(new URL(request.url).pathname)
      return respond(request)
    },
  })
})
afterAll(() => server.close(100))

const text = (body: string, headers: Record<string, string> = {}) =>
  new BytesResponse(new Uint8Array(Buffer.from(body)), { headers })
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\n${more}\r\n`
const post = (body: string, length = body.length) =>
  `POST /p HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: ${length}\r\n\r\n${body}`

/** Sends the parts with the event loop turning in between; resolves to all that came back until the server ended. */
async function exchange(parts: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const answer = readAll(socket)
  for (const part of parts) {
    socket.write(Buffer.from(part, 'latin1'))
    await new Promise((resolve) => setImmediate(resolve))
  }
  return answer
}

async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)))
  socket.on('error', () => {})
  await once(socket, 'close')
  return Buffer.concat(chunks).toString('latin1')
}

const bodies = (answers: string) =>
  answers.split(/(?=HTTP\/1\.1 )/).map((answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4))

describe('a connection', () => {
  it('reads a request that comes byte by byte', async () => {
    const answer = await exchange([...get('/slow', 'Connection: close\r\n')])
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('answers pipelined requests in order, one at a time', async () => {
    respond = async (request) => {
      const path = new URL(request.url).pathname
      await new Promise((resolve) => setTimeout(resolve, path === '/1' ? 30 : 0))
      return text(path)
    }
    const answer = await exchange([get('/1') + get('/2') + get('/3', 'Connection: close\r\n') + get('/4')])
    expect(bodies(answer)).toEqual(['/1', '/2', '/3'])
    expect(seen).not.toContain('/4')
  })

  it.each([
    ['at once', (request: GateRequest) => text(new URL(request.url).pathname)],
    ['later', async (request: GateRequest) => text(new URL(request.url).pathname)],
  ])('answers thousands that were sent ahead in one piece, %s', async (_row, answerPath) => {
    respond = answerPath
    const paths = Array.from({ length: 5_000 }, (_, n) => `/${n}`)
    const answer = await exchange([
      paths.map((path) => get(path)).join('') + get('/last', 'Connection: close\r\n'),
    ])
    expect(bodies(answer)).toEqual([...paths, '/last'])
  })

  it.each([
    [
      'thrown at once',
      () => {
        throw new Error('broken')
      },
    ],
    ['rejected later', async () => Promise.reject(new Error('broken'))],
  ])('ends without another byte on a fault, %s', async (_row, fault) => {
    problems.length = 0
    respond = fault
    expect(await exchange([get('/') + get('/more')])).toBe('')
    expect(problems).toHaveLength(1)
  })

  it('reads exactly the declared length as the body, and what follows as the next request', async () => {
    respond = async (request) => text(await new Response(request.body).text())
    const answer = await exchange([post('hello') + post('world') + get('/', 'Connection: close\r\n')])
    expect(bodies(answer)).toEqual(['hello', 'world', ''])
  })

  it('33 does not read a body as a request', async () => {
    seen.length = 0
    const hidden = get('/hidden')
    respond = async () => text('ok')
    await exchange([post(hidden) + get('/last', 'Connection: close\r\n')])
    expect(seen).toEqual(['/p', '/last'])
  })

  it('ends after HTTP/1.0, and says so', async () => {
    const answer = await exchange([`GET / HTTP/1.0\r\nHost: ${HOST}\r\n\r\n${get('/more')}`])
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    expect(answer).toMatch(/connection: close\r\n/i)
  })

  it('answers every request sent before the client closed its half, and refuses an incomplete one', async () => {
    respond = async (request) => text(new URL(request.url).pathname)
    const socket = connect(port, '127.0.0.1')
    socket.end(`${get('/1')}${get('/2')}GET /3`)
    const answers = await readAll(socket)
    expect(bodies(answers)).toEqual(['/1', '/2', ''])
    expect(answers).toMatch(/HTTP\/1\.1 400 /)
  })

  it('buffers little for a client that pipelines and does not read, and sends it all once it reads', async () => {
    seen.length = 0
    const large = 'x'.repeat(262_144)
    respond = async () => text(large)
    const socket = connect(port, '127.0.0.1').pause()
    socket.write(get('/ahead').repeat(400) + get('/last', 'Connection: close\r\n'))
    for (let before = -1; before !== seen.length; ) {
      before = seen.length
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.length).toBeLessThan(200) // what the system's own buffers hold, and one more
    socket.on('data', () => {}).resume()
    await once(socket, 'close')
    expect(seen).toHaveLength(401)
  })

  it('ends a request whose body does not come', async () => {
    expect(await exchange([post('hel', 5)])).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('refuses what is no HTTP without waiting for its end', async () => {
    expect(await exchange(['\x16\x03\x01\x02\x00'])).toMatch(/^HTTP\/1\.1 400 /)
  })

  it('lets a refused client read why although it is still sending', async () => {
    const parts = Array.from({ length: 40 }, () => 'x'.repeat(65_536))
    expect(
      await exchange([`POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 9999999\r\n\r\n`, ...parts]),
    ).toMatch(/^HTTP\/1\.1 413 /)
  })
})

describe('an answer', () => {
  it.each([
    ['a line end in a value', () => text('x', { 'X-A': 'b\r\nSet-Cookie: c' })],
    ['a character beyond Latin-1', () => text('x', { 'X-A': '関' })],
    ['a space in a name', () => text('x', { 'X A': 'b' })],
    ['a length that is too long', () => text('x', { 'Content-Length': '2' })],
    ['a length that is too short', () => text('xy', { 'Content-Length': '1' })],
  ])('with %s is not sent', async (_row, answer) => {
    problems.length = 0
    respond = async () => answer()
    expect(await exchange([get('/broken')])).toBe('')
    expect(problems).toHaveLength(1)
  })

  it('is streamed whole when it is large, and cut off when its source ends early', async () => {
    const chunk = new Uint8Array(100_000).fill(120)
    const large = (chunks: number) =>
      new ReadableStream({ pull: (to) => (chunks-- > 0 ? to.enqueue(chunk) : to.close()) })
    const headers = { 'Content-Length': '1000000' }
    respond = async () => new Response(large(10), { headers })
    expect(bodies(await exchange([get('/', 'Connection: close\r\n')]))[0]).toHaveLength(1_000_000)
    respond = async () => new Response(large(9), { headers })
    expect(bodies(await exchange([get('/')]))[0]?.length).toBeLessThan(1_000_000)
  })

  it('has a date and a length, and no body for HEAD and 304', async () => {
    respond = async () => new BytesResponse(null, { status: 304, headers: { ETag: '"a"' } })
    const notModified = await exchange([get('/', 'Connection: close\r\n')])
    expect(notModified).toMatch(/^HTTP\/1\.1 304 Not Modified\r\ndate: \w{3}, \d\d \w{3} \d{4} /)
    expect(notModified).not.toMatch(/content-length/i)
    respond = async () => new BytesResponse(null)
    expect(await exchange([get('/', 'Connection: close\r\n')])).toMatch(/content-length: 0\r\n/i)
    respond = async () => new BytesResponse(null, { headers: { 'Content-Length': '5' } })
    const head = await exchange([`HEAD / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`])
    expect([head.match(/content-length: 5/i)?.length, bodies(head)]).toEqual([1, ['']])
  })
})
