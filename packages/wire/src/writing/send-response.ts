import type { Socket } from 'node:net'
import type { GateResponse } from '../messages.ts'
import { PlainHeaders } from '../plain-headers.ts'
import { BytesResponse } from './bytes-response.ts'
import { serializeResponseHeader } from './serialize-response.ts'

interface SendContext {
  readonly socket: Socket
  /** A response to HEAD: no body follows, whatever length it names. */
  readonly isHead: boolean
  /** HTTP/1.0 knows no chunks: a body of unknown length ends with its connection. */
  readonly isHttp10: boolean
  readonly keepAlive: boolean
  readonly nowMs: number
}

/** Bodies of a named length up to this are held whole first; all others are streamed. */
const MAX_HELD_BYTES = 262_144
/** RFC 9110 §6.4.1: no body follows these. */
const BODILESS: ReadonlySet<number> = new Set([204, 304])

/**
 * Sends one response; resolves once the system has taken all of it or the connection has ended. Rejects for a wrong length, a failed
 * stream or an unsendable header: bytes may be out already, so the connection must end.
 */
export async function sendResponse(response: GateResponse, context: SendContext): Promise<void> {
  if (response.headers.has('transfer-encoding')) throw new RangeError('a response names its own framing')
  if (!(response instanceof BytesResponse)) return sendForeign(response, context)
  sendBytes(response.status, response.headers, response.held, context)
  await whenTaken(context.socket)
}

/** Sends a response that may have a stream for a body; the stream is read to its end or cancelled. */
async function sendForeign(response: GateResponse, context: SendContext): Promise<void> {
  const { status, body } = response
  const { socket, isHead, isHttp10 } = context
  const headers = PlainHeaders.from(response.headers)
  const length = headers.get('content-length')
  try {
    if (socket.destroyed) return
    if (body === null || isHead) {
      sendBytes(status, headers, null, context)
      await whenTaken(socket)
    } else if (length === null) {
      if (!isHttp10) headers.set('transfer-encoding', 'chunked')
      socket.write(serializeResponseHeader({ status, headers, ...context }), 'latin1')
      await streamUnknown(body, context)
    } else if (Number(length) > MAX_HELD_BYTES) {
      socket.write(serializeResponseHeader({ status, headers, ...context }), 'latin1')
      await streamLength(socket, body, Number(length))
    } else {
      sendBytes(status, headers, await response.bytes(), context)
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

/**
 * Sends a body of unknown length, one chunk at a time: the next is pulled when the system has taken the last. The stream is cancelled as
 * soon as the client ends the connection or its own side of it.
 */
async function streamUnknown(
  body: ReadableStream<Uint8Array>,
  { socket, isHttp10 }: SendContext,
): Promise<void> {
  const reader = body.getReader()
  const leave = () => {
    socket.destroy()
    reader.cancel().catch(() => {}) // a read under way ends as at the end of the stream
  }
  socket.once('end', leave).once('close', leave)
  if (socket.readableEnded) leave()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (socket.destroyed)
        leave() // before `close` says so, which a stream that never waits would keep from coming
      else if (read.value.byteLength > 0) await writeChunk(socket, read.value, isHttp10) // an empty one would end the body
    }
    if (!isHttp10 && !socket.destroyed)
      await new Promise((resolve) => socket.write('0\r\n\r\n', 'latin1', resolve))
  } catch (error) {
    if (isHttp10) socket.resetAndDestroy() // the usual end would say that the body is whole
    throw error
  } finally {
    socket.off('end', leave).off('close', leave)
  }
}

/** Resolves once the system has taken the chunk, or the connection has ended. */
function writeChunk(socket: Socket, chunk: Uint8Array, isHttp10: boolean): Promise<unknown> {
  if (isHttp10) return new Promise((resolve) => socket.write(chunk, resolve))
  return new Promise((resolve) => {
    socket.cork()
    socket.write(`${chunk.byteLength.toString(16)}\r\n`, 'latin1')
    socket.write(chunk)
    socket.write('\r\n', 'latin1', resolve)
    socket.uncork()
  })
}

/** Sends a body of a named length, as slowly as the client takes it. */
async function streamLength(socket: Socket, body: ReadableStream<Uint8Array>, length: number): Promise<void> {
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
