import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createNodeServer } from './server.ts'
import { BytesResponse } from './writing/bytes-response.ts'

const HOST = 'portal.test'
const SILENCE_MS = 300
const problems: unknown[] = []
let stream: () => ReadableStream<Uint8Array> = () => new ReadableStream()
let headers: Record<string, string> = {}
/** Resolves when the stream that is served next is cancelled. */
let cancelled = Promise.withResolvers<void>()

const create = () =>
  createNodeServer({
    refusalResponse: ({ status }) => new BytesResponse(null, { status }),
    silenceTimeoutMs: SILENCE_MS,
    onProblem: (problem) => problems.push(problem),
  })
const service = {
  origin: new URL(`https://${HOST}`),
  hostIndependentTargets: new Set(['/stream']),
  handle: ({ url }: { readonly url: string }) =>
    url.endsWith('/stream')
      ? new Response(stream(), { headers })
      : new BytesResponse(new Uint8Array(Buffer.from('next'))),
}
const server = create()
let port: number
beforeAll(async () => {
  port = await server.listen(0, '127.0.0.1')
  server.attach(service)
})
afterAll(() => server.close(100))
beforeEach(() => {
  headers = {}
  problems.length = 0
  cancelled = Promise.withResolvers()
})

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const cancel = () => cancelled.resolve()

/** A stream of these chunks; an error among them makes it fail. */
const streamOf = (...chunks: readonly (string | Error)[]) => {
  const left = [...chunks]
  return () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const next = left.shift()
        if (next === undefined) controller.close()
        else if (typeof next === 'string') controller.enqueue(bytes(next))
        else controller.error(next)
      },
      cancel,
    })
}

/** A stream whose chunks the test sends. */
function streamByHand() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  writer.closed.catch(cancel)
  stream = () => readable
  return writer
}

interface Client {
  readonly socket: Socket
  received(): string
  /** All that came until the server ended the connection, or `reset`. */
  readonly whole: Promise<string>
}

function ask(request = `GET /stream HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`, to = port): Client {
  const socket = connect(to, '127.0.0.1')
  let text = ''
  let isReset = false
  socket.on('data', (chunk) => (text += chunk.toString('latin1')))
  socket.on('error', () => (isReset = true))
  socket.write(request)
  const whole = new Promise<string>((resolve) => socket.on('close', () => resolve(isReset ? 'reset' : text)))
  return { socket, received: () => text, whole }
}

const next = (more = 'Connection: close\r\n') => `GET /next HTTP/1.1\r\nHost: ${HOST}\r\n${more}\r\n`
const bodyOf = (response: string) => response.slice(response.indexOf('\r\n\r\n') + 4)

describe('a body of unknown length', () => {
  it('leaves chunk by chunk, and the connection goes on behind it', async () => {
    const writer = streamByHand()
    const client = ask()
    await writer.write(bytes('first'))
    await expect.poll(() => bodyOf(client.received())).toBe('5\r\nfirst\r\n')
    await writer.write(bytes('x'.repeat(26)))
    await writer.close()
    await expect.poll(client.received).toMatch(/first\r\n1a\r\nx{26}\r\n0\r\n\r\n$/)
    expect(client.received()).toMatch(/\r\ntransfer-encoding: chunked\r\n/)
    expect(client.received()).not.toMatch(/content-length/)
    client.socket.write(next())
    expect(await client.whole).toMatch(/0\r\n\r\nHTTP\/1\.1 200 .*next$/s)
  })

  it('does not end with an empty chunk', async () => {
    stream = streamOf('a', '', 'b')
    const client = ask(`GET /stream HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`)
    expect(bodyOf(await client.whole)).toBe('1\r\na\r\n1\r\nb\r\n0\r\n\r\n')
  })

  it('is answered before what was sent behind it', async () => {
    stream = streamOf('a', 'b')
    const client = ask(`GET /stream HTTP/1.1\r\nHost: ${HOST}\r\n\r\n${next()}`)
    expect(await client.whole).toMatch(/1\r\nb\r\n0\r\n\r\nHTTP\/1\.1 200 .*next$/s)
  })

  it('is not sent to HEAD, and the stream is cancelled', async () => {
    stream = streamOf('a')
    const client = ask(`HEAD /stream HTTP/1.1\r\nHost: ${HOST}\r\n\r\n${next()}`)
    expect(await client.whole).toMatch(/^HTTP\/1\.1 200 OK\r\n.*?\r\n\r\nHTTP\/1\.1 200 .*next$/s)
    await cancelled.promise
  })

  it('has no chunks over HTTP/1.0 and ends with the connection', async () => {
    stream = streamOf('a', 'b')
    const answer = await ask('GET /stream HTTP/1.0\r\n\r\n').whole
    expect(answer).not.toMatch(/transfer-encoding/)
    expect(answer).toMatch(/connection: close\r\n\r\nab$/)
  })

  it('never comes with a framing of the service’s own', async () => {
    headers = { 'Transfer-Encoding': 'gzip' }
    stream = streamOf('a')
    expect(await ask().whole).toBe('')
    expect(problems).toHaveLength(1)
  })
})

describe('a stream that does not come to its end', () => {
  it('fails: the connection ends without the last chunk', async () => {
    stream = streamOf('a', new Error('broken'))
    expect(bodyOf(await ask().whole)).toBe('1\r\na\r\n')
    expect(problems).toHaveLength(1)
  })

  it('fails over HTTP/1.0: the connection is reset, for its end would say that the body is whole', async () => {
    stream = streamOf('a', new Error('broken'))
    expect(await ask('GET /stream HTTP/1.0\r\n\r\n').whole).toBe('reset')
  })

  it.each([
    ['resets the connection', (socket: Socket) => socket.resetAndDestroy()],
    ['closes it', (socket: Socket) => socket.destroy()],
    ['ends its own side, as a proxy does for a browser that left', (socket: Socket) => socket.end()],
  ])('is cancelled once the client %s, with nothing more to send', async (_how, leave) => {
    const writer = streamByHand()
    const client = ask()
    await writer.write(bytes('first'))
    await expect.poll(client.received).toContain('first')
    leave(client.socket)
    await cancelled.promise
    expect(await client.whole).not.toContain('0\r\n\r\n')
    expect(problems).toEqual([])
  })

  it('is dropped and cancelled when it sends nothing', async () => {
    streamByHand()
    const client = ask()
    await cancelled.promise
    expect(bodyOf(await client.whole)).toBe('')
  })

  it('is pulled only as fast as the client reads, and cancelled when it stops', async () => {
    let pulled = 0
    stream = () =>
      new ReadableStream({
        pull(controller) {
          pulled += 65_536
          controller.enqueue(new Uint8Array(65_536))
        },
        cancel,
      })
    const client = ask()
    client.socket.pause()
    await cancelled.promise
    expect(pulled).toBeLessThan(24_000_000) // what both ends of a loopback connection buffer
    client.socket.destroy()
  })
})

describe('closing', () => {
  it('lets a stream come to its end, and ends its connection then', async () => {
    const closing = create()
    const to = await closing.listen(0, '127.0.0.1')
    closing.attach(service)
    const writer = streamByHand()
    const client = ask(undefined, to)
    await writer.write(bytes('a'))
    await expect.poll(client.received).toContain('a\r\n')
    const closed = closing.close(600_000)
    await writer.write(bytes('b'))
    await writer.close()
    expect(await client.whole).toMatch(/1\r\nb\r\n0\r\n\r\n$/)
    await closed
  })

  it('cancels what is left when the time is over', async () => {
    const closing = create()
    const to = await closing.listen(0, '127.0.0.1')
    closing.attach(service)
    const writer = streamByHand()
    const client = ask(undefined, to)
    await writer.write(bytes('a'))
    await expect.poll(client.received).toContain('a\r\n')
    await closing.close(0)
    await cancelled.promise
    expect(await client.whole).not.toContain('0\r\n\r\n')
  })
})
