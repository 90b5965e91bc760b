import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import { serveConnection } from '../src/connection.ts'
import { createOwnAddress, resolveTarget } from '../src/reading/request-address.ts'
import { BytesResponse } from '../src/writing/bytes-response.ts'
import { sendResponse } from '../src/writing/send-response.ts'

/** One request as a server understood it; names in lower case, repeated headers joined, sorted. */
interface Understood {
  readonly method: string
  readonly target: string
  readonly headers: string
  readonly body: string
}

/** A server's reading of a connection's bytes: the requests it answered, and the end of the connection. */
export interface Reading {
  readonly requests: readonly Understood[]
  readonly hasEnded: boolean
}

const OWN = createOwnAddress(new URL('http://portal.test'), new Set())

type Serve = typeof serveConnection

/** An end of a connection whose bytes arrive in the pieces they were cut into. */
class PieceSocket extends Duplex {
  timeout = 0
  sent = ''
  readonly remoteAddress = '127.0.0.1'
  constructor() {
    super({ allowHalfOpen: true })
    this.on('error', () => {})
  }
  setTimeout(): this {
    return this
  }
  override _read(): void {}
  override _write(chunk: Buffer, _encoding: BufferEncoding, taken: () => void): void {
    this.sent += chunk.toString('latin1')
    taken()
  }
  async deliver(pieces: readonly Buffer[]): Promise<void> {
    for (const piece of pieces) {
      this.push(piece)
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.push(null)
  }
}

/** Our reading of bytes that arrive in pieces. */
export async function readOurs(pieces: readonly Buffer[], serve: Serve = serveConnection): Promise<Reading> {
  const requests: Understood[] = []
  const socket = new PieceSocket()
  let hasEnded = false
  const asSocket = socket as unknown as Parameters<Serve>[0] // has all that a connection asks of a socket
  serve(asSocket, {
    resolve(header) {
      const url = resolveTarget(header, OWN)
      return typeof url === 'string' ? { url, maxBodyBytes: 65_536 } : url
    },
    async respond({ header, body }, isLast) {
      const { method, target, headers } = header
      hasEnded ||= isLast
      requests.push({
        method,
        target,
        headers: join(headers),
        body: Buffer.from(body ?? []).toString('latin1'),
      })
      await sendResponse(new BytesResponse(null), {
        socket: asSocket,
        isHead: false,
        isHttp10: false,
        keepAlive: !isLast,
        nowMs: 0,
      })
    },
    serializeRefusal() {
      hasEnded = true
      return Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')
    },
    onWaiting: () => {},
    onProblem: () => {},
    takeTurn: setImmediate,
    limits: { headerMs: 1e9, requestMs: 1e9, idleMs: 1e9, silenceMs: 1e9 },
    elapsed: () => 0,
  })
  await socket.deliver(pieces)
  if (!socket.writableFinished && !socket.destroyed)
    await Promise.race([once(socket, 'finish'), once(socket, 'close')])
  socket.destroy()
  return { requests, hasEnded }
}

/** Node's own parser (llhttp) in its strict mode, fed the same way. */
export function createReference(): { read(pieces: readonly Buffer[]): Promise<Reading> } {
  /** Of each connection, in the order of its requests: null until the whole body is there. */
  const readings = new WeakMap<object, (Understood | null)[]>()
  const ended = new WeakSet<object>()
  const server = createServer(
    { insecureHTTPParser: false, requireHostHeader: false },
    async (message, response) => {
      const requests = readings.get(message.socket) ?? []
      const index = requests.push(null) - 1
      requests[index] = await collect(message).catch(() => null)
      response.end()
    },
  )
  for (const event of ['checkContinue', 'checkExpectation'] as const)
    server.on(event, (message, response) => server.emit('request', message, response))
  server.on('clientError', (_error, socket) => ended.add(socket)) // what was whole before is still read
  return {
    async read(pieces) {
      const socket = new PieceSocket()
      const requests: (Understood | null)[] = []
      readings.set(socket, requests)
      server.emit('connection', socket)
      await socket.deliver(pieces)
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      socket.destroy()
      const incomplete = requests.indexOf(null)
      const complete = incomplete === -1 ? requests : requests.slice(0, incomplete)
      return { requests: complete.filter((request) => request !== null), hasEnded: ended.has(socket) }
    },
  }
}

async function collect(message: IncomingMessage): Promise<Understood> {
  let body = ''
  for await (const chunk of message) body += Buffer.from(chunk).toString('latin1')
  const headers = new Map<string, string>()
  for (let index = 0; index < message.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [message.rawHeaders[index]?.toLowerCase(), message.rawHeaders[index + 1]]
    const known = headers.get(name)
    headers.set(name, known === undefined ? value : known + (name === 'cookie' ? '; ' : ', ') + value)
  }
  return { method: message.method ?? '', target: message.url ?? '', headers: join(headers), body }
}

const join = (headers: Iterable<readonly [string, string]>) =>
  JSON.stringify([...headers].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))

/**
 * Describes the difference, or null. Ours may refuse more than llhttp, except in well-formed connections, but must answer the same requests
 * in order. After an upgrade request llhttp stops; HTTP continues where no switch happens (RFC 9110 §7.8).
 */
export function findDifference(ours: Reading, reference: Reading, isWellFormed: boolean): string | null {
  for (const [index, request] of ours.requests.entries()) {
    const theirs = reference.requests[index]
    if (theirs === undefined && ours.requests[index - 1]?.headers.includes('["upgrade",') === true)
      return null
    if (JSON.stringify(request) !== JSON.stringify(theirs)) {
      return `request ${index} is ${JSON.stringify(request)} here and ${JSON.stringify(theirs)} there`
    }
  }
  const unanswered = reference.requests.length - ours.requests.length
  const mayRefuse = ours.hasEnded && !isWellFormed
  return !mayRefuse && unanswered > 0 ? `${unanswered} requests were not answered` : null
}
