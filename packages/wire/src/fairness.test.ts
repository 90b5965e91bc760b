import { once } from 'node:events'
import { connect } from 'node:net'
import { Duplex } from 'node:stream'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { serveConnection } from './connection.ts'
import type { GateResponse } from './messages.ts'
import { ReceiveBuffer } from './reading/receive-buffer.ts'
import { createNodeServer } from './server.ts'
import { createTurns } from './turns.ts'
import { BytesResponse } from './writing/bytes-response.ts'
import { sendResponse } from './writing/send-response.ts'

const REQUEST = 'GET / HTTP/1.1\r\nHost: portal.test\r\n\r\n'
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
const small = () => new BytesResponse(new Uint8Array(Buffer.from('ok')))

/** A socket whose client sends without end, and reads responses only when the test says so. */
class TestSocket extends Duplex {
  timeout = 0
  isTaking = true
  #untaken: (() => void)[] = []
  readonly #source: () => Buffer | string | null
  constructor(source: () => Buffer | string | null = () => null) {
    super({ allowHalfOpen: true })
    this.#source = source
  }
  setTimeout(ms: number): this {
    this.timeout = ms
    return this
  }
  takeWrites(): void {
    for (const taken of this.#untaken.splice(0)) taken()
  }
  override _read(): void {
    const bytes = this.#source()
    if (bytes !== null) setImmediate(() => this.push(bytes))
  }
  override _write(_chunk: unknown, _encoding: BufferEncoding, taken: () => void): void {
    if (this.isTaking) taken()
    else this.#untaken.push(taken)
  }
}

/** Proven by its use: `serveConnection` and `sendResponse` ask nothing else of a socket. */
const asSocket = (socket: TestSocket) => socket as unknown as Parameters<typeof serveConnection>[0]

function serve(
  socket: TestSocket,
  handle: () => GateResponse | Promise<GateResponse>,
  onProblem = (_: unknown) => {},
  takeTurn = createTurns(),
) {
  const send = (response: GateResponse) =>
    sendResponse(response, {
      socket: asSocket(socket),
      isHead: false,
      isHttp10: false,
      keepAlive: true,
      nowMs: 0,
    })
  return serveConnection(asSocket(socket), {
    resolve: () => ({ maxBodyBytes: 0 }),
    async respond() {
      await send(await handle())
    },
    serializeRefusal: () => Buffer.from('refused'),
    onWaiting: () => {},
    onProblem,
    takeTurn,
    limits: { headerMs: 1_000, requestMs: 1_000, idleMs: 1_000, silenceMs: 1_000 },
    elapsed: () => 0,
  })
}

describe('a client that pipelines requests', () => {
  it('is answered 16 times at most in a turn, whether its responses are at hand or awaited', async () => {
    for (const respond of [small, async () => small()]) {
      let answered = 0
      const socket = new TestSocket()
      serve(socket, () => {
        answered += 1
        return respond()
      })
      socket.push(REQUEST.repeat(100))
      await once(socket, 'data')
      for (let turn = 0; turn < 250; turn += 1) {
        const before = answered
        await nextTurn()
        expect(answered - before).toBeLessThanOrEqual(16)
      }
      expect(answered).toBe(100)
    }
  })

  it('shares the 16 with all who do the same, each in turn', async () => {
    const answered = Array.from({ length: 20 }, () => 0)
    const takeTurn = createTurns()
    for (const index of answered.keys()) {
      const socket = new TestSocket()
      const count = () => {
        answered[index] = (answered[index] ?? 0) + 1
        return small()
      }
      serve(socket, count, undefined, takeTurn)
      socket.push(REQUEST.repeat(100))
    }
    const sum = () => answered.reduce((total, count) => total + count, 0)
    await nextTurn()
    for (let turn = 0; turn < 10; turn += 1) {
      const before = sum()
      await nextTurn()
      expect(sum() - before).toBe(16)
      expect(Math.max(...answered) - Math.min(...answered)).toBeLessThanOrEqual(1)
    }
  })

  it('does not keep another connection waiting', async () => {
    const order: string[] = []
    const server = createNodeServer({ refusalResponse: ({ status }) => new BytesResponse(null, { status }) })
    const port = await server.listen(0, '127.0.0.1')
    server.attach({
      origin: new URL('http://portal.test'),
      handle({ url }) {
        order.push(new URL(url).pathname)
        return small()
      },
    })
    const [greedy, reader] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
    greedy.on('data', () => {})
    await Promise.all([once(greedy, 'connect'), once(reader, 'connect')])
    greedy.write(REQUEST.replace('/', '/greedy').repeat(20_000))
    await expect.poll(() => order.length).toBeGreaterThan(0)
    const before = order.length
    reader.write(REQUEST.replace('/', '/reader'))
    await once(reader, 'data')
    expect(order.indexOf('/reader') - before).toBeLessThan(1_000)
    for (const socket of [greedy, reader]) socket.destroy()
    await server.close(0)
  })

  it('is read from only while little is ahead, however many requests were answered meanwhile', async () => {
    let [sent, answered] = [0, 0]
    const requests = REQUEST.repeat(1_000)
    const socket = new TestSocket(() => {
      sent += requests.length
      return requests
    })
    serve(socket, async () => {
      answered += 1
      await nextTurn()
      return small()
    })
    await expect.poll(() => answered).toBeGreaterThan(2_000)
    expect(sent - answered * REQUEST.length).toBeLessThan(65_536 + 3 * requests.length)
    socket.destroy()
  })

  it('has one unsent response at most: the next request waits until the last response is sent', async () => {
    let answered = 0
    const socket = new TestSocket()
    socket.isTaking = false
    serve(socket, () => {
      answered += 1
      return small()
    })
    socket.push(REQUEST.repeat(3))
    for (const expected of [1, 2, 3]) {
      await expect.poll(() => answered).toBe(expected)
      await nextTurn()
      await nextTurn()
      expect(answered).toBe(expected)
      for (let write = 0; write < 5; write += 1) {
        socket.takeWrites()
        await nextTurn()
      }
    }
  })
})

describe('ReceiveBuffer', () => {
  afterEach(() => vi.restoreAllMocks())

  it('returns what was received, in order, and drops what was consumed', () => {
    const step = fc.record({ chunk: fc.uint8Array({ minLength: 1, maxLength: 50 }), consumed: fc.nat(80) })
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const received = new ReceiveBuffer()
        let expected = Buffer.alloc(0)
        for (const { chunk, consumed } of steps) {
          received.append(Buffer.from(chunk))
          expected = Buffer.concat([expected, chunk])
          expect(received.peek().equals(expected)).toBe(true)
          const count = Math.min(consumed, expected.length)
          received.consume(count)
          expected = expected.subarray(count)
          expect([received.length, received.peek().equals(expected)]).toEqual([expected.length, true])
        }
      }),
    )
  })

  it('moves bytes a few times, however small the chunks are', () => {
    const allocate = vi.spyOn(Buffer, 'allocUnsafeSlow')
    const concat = vi.spyOn(Buffer, 'concat')
    const received = new ReceiveBuffer()
    for (let byte = 0; byte < 65_536; byte += 1) received.append(Buffer.from([byte % 256]))
    expect(received.length).toBe(65_536)
    expect(allocate.mock.calls.length + concat.mock.calls.length).toBeLessThan(20)
  })
})

describe('a response from a stream', () => {
  const CHUNK = new Uint8Array(65_536)
  const HEADERS = { 'Content-Length': String(10 * CHUNK.length) }
  let isCancelled: boolean
  const endless = () => {
    isCancelled = false
    return new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(CHUNK),
      cancel: () => {
        isCancelled = true
      },
    })
  }

  it('is cancelled when the client leaves in the middle of it', async () => {
    const server = createNodeServer({ refusalResponse: ({ status }) => new BytesResponse(null, { status }) })
    const port = await server.listen(0, '127.0.0.1')
    const headers = { 'Content-Length': '1000000000000' }
    server.attach({
      origin: new URL('http://portal.test'),
      handle: () => new Response(endless(), { headers }),
    })
    const client = connect(port, '127.0.0.1').on('error', () => {})
    client.write(REQUEST)
    await once(client, 'readable')
    await new Promise((resolve) => setTimeout(resolve, 100)) // both ends are full by now
    expect(isCancelled).toBe(false)
    client.destroy()
    await expect.poll(() => isCancelled).toBe(true)
    await server.close(0)
  })

  it('is cancelled when the client has left before it', async () => {
    const socket = new TestSocket()
    serve(socket, async () => {
      socket.destroy()
      return new Response(endless(), { headers: HEADERS })
    })
    socket.push(REQUEST)
    await expect.poll(() => isCancelled).toBe(true)
  })

  it('is cancelled when its header cannot be sent', async () => {
    const problems: unknown[] = []
    const socket = new TestSocket()
    const headers = { ...HEADERS, 'X-A': 'a\x01b' }
    serve(
      socket,
      () => new Response(endless(), { headers }),
      (problem) => problems.push(problem),
    )
    socket.push(REQUEST)
    await expect.poll(() => socket.destroyed).toBe(true)
    expect([isCancelled, problems.length]).toEqual([true, 1])
  })

  it('ends the connection when its source fails', async () => {
    const problems: unknown[] = []
    const socket = new TestSocket()
    const failing = new ReadableStream({ pull: () => Promise.reject(new Error('i/o error')) })
    serve(
      socket,
      () => new Response(failing, { headers: HEADERS }),
      (problem) => problems.push(problem),
    )
    socket.push(REQUEST)
    await expect.poll(() => socket.destroyed).toBe(true)
    expect(problems).toHaveLength(1)
  })

  it('leaves no listener on the socket', async () => {
    const socket = new TestSocket()
    let chunks = 0
    let listeners = ''
    const count = () => socket.eventNames().map((name) => `${String(name)} ${socket.listenerCount(name)}`)
    serve(socket, async () => {
      listeners ||= count().join()
      const body = new ReadableStream({
        pull(controller) {
          chunks += 1
          controller.enqueue(CHUNK)
          if (chunks % 10 === 0) controller.close()
        },
      })
      return new Response(body, { headers: HEADERS })
    })
    socket.on('data', () => {})
    socket.push(REQUEST.repeat(3))
    await expect.poll(() => chunks).toBe(30)
    await nextTurn()
    expect(count().join()).toBe(listeners)
    socket.destroy()
  })
})
