import type { Socket } from 'node:net'
import { ChunkedBody } from './reading/chunked-body.ts'
import { findHeaderEnd, parseRequestHeader, type RequestHeader } from './reading/parse-request.ts'
import { ReceiveBuffer } from './reading/receive-buffer.ts'
import { type Refusal, refuse } from './refusal.ts'

/** One request as it came off a connection. */
export interface ReceivedRequest<Destination> {
  readonly header: RequestHeader
  /** Destination of the request, from `resolve`. */
  readonly destination: Destination
  readonly body: Uint8Array<ArrayBuffer> | null
}

/** Limits of a destination for its connection. */
interface BodyLimit {
  /** Longest body, whether its length is declared or it comes in chunks. */
  readonly maxBodyBytes: number
}

interface ConnectionOptions<Destination extends BodyLimit> {
  /** Decides whom a header is for, before its body is read; a refusal ends the connection. */
  readonly resolve: (header: RequestHeader) => Destination | Refusal
  /**
   * Responds to one request; resolves once the socket holds nothing that is unsent. A rejection ends the connection without
   * another byte.
   */
  readonly respond: (request: ReceivedRequest<Destination>, isLast: boolean) => Promise<void>
  /** The whole response to a request that is refused before it is one, as Latin-1 or bytes. */
  readonly serializeRefusal: (refusal: Refusal) => Buffer
  /** Told whether the peer owes us a request or we owe it a response. */
  readonly onWaiting: (isWaiting: boolean) => void
  readonly onProblem: (error: unknown) => void
  /** Calls back when it is this connection's turn among all that sent requests ahead. */
  readonly takeTurn: (serveNext: () => void) => void
  readonly limits: ConnectionLimits
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number
}

/** Enforced by a look at the clock every half second: each may take so much longer. */
export interface ConnectionLimits {
  /** From the first byte of a request, or from the start of the connection, to the end of its header. */
  readonly headerMs: number
  /** From the first byte of a request to the end of its body. */
  readonly requestMs: number
  /** Between two requests. */
  readonly idleMs: number
  /** Without a byte either way while a response is made or sent: slow readers. */
  readonly silenceMs: number
}

/** One client's connection: requests come one after the other, and each is answered before the next is read. */
export interface Connection {
  /** Ends what has taken too long; called twice a second. */
  checkTime(): void
  /** Closes at once when nothing is owed, else after the response under way. */
  finish(): void
}

/** Bytes a client may send ahead of its responses before reading pauses. */
const MAX_AHEAD_BYTES = 65_536
/** Time for which bytes of a refused client are read and dropped, so that it can read the reason (RFC 9112 §9.6). */
const LINGER_MS = 1_000
const NO_BODY = new Uint8Array()
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

/** Of `response`, everything until the next request may be read: made, sent, or waiting for the connection's turn. */
type Phase = 'header' | 'body' | 'response' | 'closed'

/** Serves the requests of one socket in order, never two at a time. */
export function serveConnection<Destination extends BodyLimit>(
  socket: Socket,
  options: ConnectionOptions<Destination>,
): Connection {
  const { limits, elapsed } = options
  const received = new ReceiveBuffer()
  let phase: Phase = 'header'
  let scanned = 0 // bytes received that are known to hold no end of a header
  let begun: Omit<ReceivedRequest<Destination>, 'body'> | null = null
  let chunks: ChunkedBody | null = null // of the request that has begun
  let isLast = false
  let hasEnded = false // the peer sends nothing more, but still reads
  let limitMs = limits.headerMs
  let deadlineMs: number | null = null // set by the next look at the clock: most of what is waited for comes before it

  function allow(ms: number): void {
    limitMs = ms
    deadlineMs = null
  }

  function onData(chunk: Buffer): void {
    if (phase === 'closed') return
    if (phase === 'header' && received.length === 0) allow(limits.headerMs)
    received.append(chunk)
    if (phase !== 'response') serve()
    else if (received.length > MAX_AHEAD_BYTES) socket.pause()
  }

  /** Serves one request, as far as it has been received. */
  function serve(): void {
    if (phase === 'header' && !readHeader()) return
    if (phase === 'body') readBody()
  }

  /** Returns whether there is a whole header, and it is accepted. */
  function readHeader(): boolean {
    const bytes = received.peek()
    const end = findHeaderEnd(bytes, scanned)
    if (end === null) {
      scanned = bytes.length
      return waitForMore()
    }
    const header = typeof end === 'number' ? parseRequestHeader(bytes, end) : end
    if ('status' in header) return refuseAndEnd(header)
    const destination = options.resolve(header)
    if ('status' in destination) return refuseAndEnd(destination)
    const { bodyBytes } = header
    if (bodyBytes !== null && bodyBytes > destination.maxBodyBytes)
      return refuseAndEnd(refuse(413, 'the body is too long'))
    begun = { header, destination }
    chunks = bodyBytes === null ? new ChunkedBody(destination.maxBodyBytes) : null
    received.consume(typeof end === 'number' ? end : 0)
    scanned = 0
    phase = 'body'
    limitMs = limits.requestMs
    if (deadlineMs !== null) deadlineMs += limits.requestMs - limits.headerMs
    if (header.expectsContinue && received.length < (bodyBytes ?? 1)) socket.write(CONTINUE, 'latin1')
    return true
  }

  function readBody(): void {
    const body = chunks === null ? takeBody(begun?.header.bodyBytes ?? 0) : chunks.read(received)
    if (begun === null || body === null) {
      waitForMore()
      return
    }
    if ('status' in body) {
      refuseAndEnd(body)
      return
    }
    const request = { ...begun, body: body.length === 0 ? null : body }
    begun = null
    chunks = null
    isLast ||= !request.header.keepAlive
    phase = 'response'
    options.onWaiting(false)
    socket.setTimeout(limits.silenceMs)
    options.respond(request, isLast).then(onSent, onFault)
  }

  /** The body of a declared length; null while it is incomplete. */
  function takeBody(bodyBytes: number): Uint8Array<ArrayBuffer> | null {
    if (received.length < bodyBytes) return null
    if (bodyBytes === 0) return NO_BODY
    const body = new Uint8Array(received.peek().subarray(0, bodyBytes))
    received.consume(bodyBytes)
    return body
  }

  /** All that was sent ahead is consumed, so reading may go on. */
  function waitForMore(): false {
    if (socket.isPaused()) socket.resume()
    return false
  }

  function onFault(error: unknown): void {
    options.onProblem(error)
    close()
  }

  /** Queues pipelined requests until the connection's turn. */
  function onSent(): void {
    if (phase === 'closed') return
    socket.setTimeout(0)
    options.onWaiting(true)
    if (received.length > 0 && !isLast) options.takeTurn(serveNext)
    else serveNext()
  }

  function serveNext(): void {
    if (phase === 'closed') return
    if (isLast) {
      end()
      return
    }
    phase = 'header'
    allow(received.length === 0 ? limits.idleMs : limits.headerMs)
    if (received.length === 0) waitForMore()
    else serve()
    if (hasEnded) onEnd()
  }

  /** Answers the complete requests; the rest will never be complete. */
  function onEnd(): void {
    hasEnded = true
    if (phase === 'header' && received.length > 0)
      refuseAndEnd(refuse(400, 'the connection ended within a request'))
    else if (phase === 'header' || phase === 'body') end()
  }

  function refuseAndEnd(refusal: Refusal): false {
    socket.write(options.serializeRefusal(refusal))
    end()
    return false
  }

  /** Ends our side; what still comes is dropped until the peer ends its own. */
  function end(): void {
    phase = 'closed'
    received.clear()
    allow(Number.POSITIVE_INFINITY) // while the response leaves, only silence ends it
    socket.setTimeout(limits.silenceMs)
    options.onWaiting(true)
    socket.end(() => allow(LINGER_MS))
    socket.resume()
  }

  function close(): void {
    phase = 'closed'
    received.clear()
    socket.destroy()
  }

  socket.on('data', onData)
  socket.on('error', close) // a reset, most often; nobody is left to hear of it
  socket.on('end', onEnd)
  socket.on('timeout', close) // it runs only while a response is made or sent

  return {
    checkTime() {
      if (phase === 'response') return
      deadlineMs ??= elapsed() + limitMs
      if (elapsed() < deadlineMs) return
      if (phase === 'closed' || (phase === 'header' && received.length === 0)) close()
      else refuseAndEnd(refuse(408, 'the request took too long'))
    },
    finish() {
      isLast = true
      if (phase === 'header') close()
    },
  }
}
