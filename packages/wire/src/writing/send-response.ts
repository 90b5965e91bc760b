import type { Socket } from 'node:net'
import type { GateResponse } from '../messages.ts'
import { PlainHeaders } from '../plain-headers.ts'
import { BytesResponse } from './bytes-response.ts'
import { serializeResponseHeader } from './serialize-response.ts'

export interface SendContext {
  readonly socket: Socket
  /** A response to HEAD: no body follows, whatever length it names. */
  readonly isHead: boolean
  readonly keepAlive: boolean
  readonly nowMs: number
}

/** Bodies of a named length above this are streamed; all others are held whole first. */
const MAX_HELD_BYTES = 262_144
/** RFC 9110 §6.4.1: no body follows these. */
const BODILESS: ReadonlySet<number> = new Set([204, 304])

/**
 * Sends one response; resolves once the system has taken all of it or the connection has ended. Rejects for a wrong length or an unsendable
 * header: bytes may be out already, so the connection must end.
 */
export async function sendResponse(response: GateResponse, context: SendContext): Promise<void> {
  if (!(response instanceof BytesResponse)) return sendForeign(response, context)
  sendBytes(response.status, response.headers, response.held, context)
  await whenTaken(context.socket)
}

/** Sends a response that may have a stream for a body; the stream is read to its end or cancelled. */
async function sendForeign(response: GateResponse, context: SendContext): Promise<void> {
  const { status, body } = response
  const { socket, keepAlive, nowMs } = context
  const headers = PlainHeaders.from(response.headers)
  const length = Number(headers.get('content-length') ?? 0)
  try {
    if (socket.destroyed) return
    if (body !== null && length > MAX_HELD_BYTES && !context.isHead) {
      socket.write(serializeResponseHeader({ status, headers, keepAlive, nowMs }), 'latin1')
      await stream(socket, body, length)
    } else {
      sendBytes(status, headers, body === null ? null : await response.bytes(), context)
      await whenTaken(socket)
    }
  } finally {
    if (body !== null && !body.locked) await body.cancel()
  }
}

function sendBytes(
  status: number,
  headers: PlainHeaders,
  body: Uint8Array | null,
  { socket, isHead, keepAlive, nowMs }: SendContext,
): void {
  const hasBody = !isHead && !BODILESS.has(status)
  const length = body?.byteLength ?? 0
  if (hasBody) nameLength(headers, length)
  const header = serializeResponseHeader({ status, headers, keepAlive, nowMs })
  if (!hasBody || body === null || length === 0) {
    socket.write(header, 'latin1')
    return
  }
  socket.cork() // one system call for both
  socket.write(header, 'latin1')
  socket.write(body)
  socket.uncork()
}

/** A length that is not the body's would make its rest, or the next response's start, part of another response. */
function nameLength(headers: PlainHeaders, length: number): void {
  const named = headers.get('content-length')
  if (named === null) headers.set('content-length', String(length))
  else if (Number(named) !== length) throw new RangeError('a response names a length that is not its own')
}

/** One chunk at a time: the next is pulled when the kernel has taken the last. */
async function stream(socket: Socket, body: ReadableStream<Uint8Array>, length: number): Promise<void> {
  let sent = 0
  for await (const chunk of body) {
    sent += chunk.byteLength
    if (sent > length || socket.destroyed) break // leaving the loop cancels the stream, which closes the file behind it
    await new Promise((resolve) => socket.write(chunk, resolve))
  }
  if (sent !== length && !socket.destroyed)
    throw new RangeError('a response ended before its length, or went past it')
}

/** Resolves once the system has taken all that was written, or the connection has ended. */
async function whenTaken(socket: Socket): Promise<void> {
  if (socket.writableLength === 0) return
  await new Promise<void>((resolve) => socket.write('', () => resolve())) // leaves no listener behind, as `drain` would
}
