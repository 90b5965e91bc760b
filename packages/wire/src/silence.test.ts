import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serveConnection } from './connection.ts'
import type { GateResponse } from './messages.ts'
import { createNodeServer } from './server.ts'
import { BytesResponse } from './writing/bytes-response.ts'

const HOST = 'portal.test'
const SILENCE_MS = 200
/** More than the buffers of both ends of a loopback connection take. */
const LARGE = new Uint8Array(24_000_000)

const server = createNodeServer({
  refusalResponse: ({ status }) =>
    new BytesResponse(null, { status, headers: { 'Cache-Control': 'private, no-store' } }),
  silenceTimeoutMs: SILENCE_MS,
})
let port: number
const answers: Readonly<Record<string, () => GateResponse | Promise<GateResponse>>> = {
  '/small': () => new BytesResponse(new Uint8Array([111, 107])),
  '/large': () => new BytesResponse(LARGE),
  '/large-later': async () => new BytesResponse(LARGE),
  '/never': () => new Promise(() => {}),
}
beforeAll(async () => {
  port = await server.listen(0, '127.0.0.1')
  const handle = ({ url }: { readonly url: string }) => answers[new URL(url).pathname]?.() ?? new Response()
  server.attach({ origin: new URL(`https://${HOST}`), handle })
})
afterAll(() => server.close(100))

/** Sends a request and reads nothing. */
function ask(path: string, header = 'Accept: */*'): Socket {
  const socket = connect(port, '127.0.0.1').pause()
  socket.on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\n${header}\r\n\r\n`)
  return socket
}

async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(Buffer.from(chunk))).resume()
  await once(socket, 'close')
  return Buffer.concat(chunks).toString('latin1')
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

it.each([
  ['answered at once', '/large', 'Accept: */*'],
  ['answered later', '/large-later', 'Accept: */*'],
  ['answered for the last time', '/large', 'Connection: close'],
])('drops a reader who does not read: %s', async (_row, path, header) => {
  const socket = ask(path, header)
  await pause(10 * SILENCE_MS)
  expect((await readAll(socket)).length).toBeLessThan(LARGE.length)
})

it('drops a connection that waits for a response that does not come', async () => {
  expect(await readAll(ask('/never'))).toBe('')
})

it.each(['/small', '/large-later'])(
  'lets a connection rest after %s: between two requests silence is no fault',
  async (path) => {
    const socket = ask(path)
    let received = 0
    socket.on('data', (chunk) => (received += chunk.length)).resume()
    await expect
      .poll(() => received, { timeout: 10_000 })
      .toBeGreaterThan(path === '/small' ? 1 : LARGE.length)
    await pause(5 * SILENCE_MS)
    socket.write(`GET /small HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`)
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 .*ok$/s)
  },
)

/** A socket whose peer takes nothing; it only remembers after how long a silence it is to be told. */
class StuckSocket extends Duplex {
  timeout = 0
  setTimeout(ms: number): this {
    this.timeout = ms
    return this
  }
  override _read(): void {}
  override _write(): void {} // never done
}

it.each([
  ['a last answer', `GET /small HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`],
  ['a refusal', 'no HTTP\r\n\r\n'],
])('watches the silence while %s leaves, however short it is', async (_row, request) => {
  const stuck = new StuckSocket()
  serveConnection(stuck as unknown as Socket, {
    resolve: () => ({ maxBodyBytes: 0 }),
    async respond() {
      stuck.write('short')
    },
    serializeRefusal: () => Buffer.from('refused'),
    onWaiting: () => {},
    onProblem: () => {},
    takeTurn: setImmediate,
    limits: { headerMs: 1, requestMs: 1, idleMs: 1, silenceMs: SILENCE_MS },
    elapsed: () => 0,
  })
  stuck.push(request)
  await expect.poll(() => stuck.writableEnded).toBe(true)
  expect(stuck.timeout).toBe(SILENCE_MS)
})
