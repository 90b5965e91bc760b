import { once } from 'node:events'
import type { Socket } from 'node:net'
import { BytesResponse } from './bytes-response.ts'
import { PlainHeaders } from './plain-headers.ts'
import type { GateResponse } from './response.ts'
import { spellHead } from './response-head.ts'

export interface AnswerContext {
  readonly socket: Socket
  /** Nothing follows the head, whatever length it names. */
  readonly isHead: boolean
  readonly keepAlive: boolean
  readonly nowMs: number
}

/** Answers up to this size leave in one write, from memory that is used again once the system has taken it. */
const SLAB_BYTES = 65_536
let spareSlab: Buffer | null = null
/** Bodies of a named length above this are streamed; all others are held whole first. */
const MAX_HELD_BYTES = 262_144
/** RFC 9110 §6.4.1: what follows these is the next answer. */
const BODILESS: ReadonlySet<number> = new Set([204, 304])

/**
 * Writes one answer; resolves when the next one may be written, and is null when that is now. Throws when its length is not what it says or a
 * header cannot be sent: then bytes may be out already, and only the end of the connection is left to say.
 */
export function sendAnswer(response: GateResponse, context: AnswerContext): Promise<void> | null {
  if (!(response instanceof BytesResponse)) return sendForeign(response, context)
  sendHeld(response.status, response.headers, response.held, context)
  return null
}

async function sendForeign(response: GateResponse, context: AnswerContext): Promise<void> {
  const headers = PlainHeaders.fromWire([...response.headers].flat())
  const length = Number(response.headers.get('Content-Length') ?? 0)
  if (length > MAX_HELD_BYTES && response.body !== null) {
    const head = spellHead(response.status, headers, context.keepAlive, context.nowMs)
    context.socket.write(head, 'latin1')
    return stream(context.socket, response.body, length)
  }
  sendHeld(response.status, headers, response.body === null ? null : await response.bytes(), context)
}

function sendHeld(
  status: number,
  headers: PlainHeaders,
  body: Uint8Array | null,
  { socket, isHead, keepAlive, nowMs }: AnswerContext,
): void {
  const length = isHead || BODILESS.has(status) ? null : (body?.byteLength ?? 0)
  const head = spellHead(status, length === null ? headers : withLength(headers, length), keepAlive, nowMs)
  if (body === null || length === null || length === 0) {
    socket.write(head, 'latin1')
    return
  }
  if (head.length + length > SLAB_BYTES) {
    socket.cork()
    socket.write(head, 'latin1')
    socket.write(body)
    socket.uncork()
    return
  }
  const slab = spareSlab ?? Buffer.allocUnsafeSlow(SLAB_BYTES)
  spareSlab = null
  slab.write(head, 'latin1')
  slab.set(body, head.length)
  socket.write(slab.subarray(0, head.length + length))
  if (socket.writableLength === 0) spareSlab = slab // else the system has not taken it yet, and nobody else may write there
}

/** A length that is not the body's would make its rest, or the next answer's start, part of another answer. */
function withLength(headers: PlainHeaders, length: number): PlainHeaders {
  const named = headers.get('content-length')
  if (named !== null) {
    if (Number(named) !== length) throw new RangeError('an answer names a length that is not its own')
    return headers
  }
  const open = headers.isSealed ? headers.copy() : headers
  open.set('content-length', String(length))
  return open
}

/** One chunk at a time: the next is asked for when the socket has taken the last. */
async function stream(socket: Socket, body: ReadableStream<Uint8Array>, length: number): Promise<void> {
  let sent = 0
  for await (const chunk of body) {
    sent += chunk.byteLength
    if (sent > length || socket.destroyed) break // leaving the loop lets go of the file behind it
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
  }
  if (sent !== length) throw new RangeError('an answer ended before its length, or went past it')
}
