import { once } from 'node:events'
import type { Socket } from 'node:net'
import { spellHead } from './answer-head.ts'
import { BytesResponse } from './bytes-response.ts'
import type { GateResponse } from './gate-response.ts'

export interface AnswerContext {
  readonly socket: Socket
  /** Nothing follows the head, whatever length it names. */
  readonly isHead: boolean
  readonly keepAlive: boolean
  readonly nowMs: number
}

/** Answers up to this size leave in one write, from memory that is used again once the system has taken it. */
const SLAB_BYTES = 65_536
const MAX_SPARE_SLABS = 32
const slabs: Buffer[] = []
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
  sendHeld(response.status, response.headers.toWire(), response.held, context)
  return null
}

async function sendForeign(response: GateResponse, context: AnswerContext): Promise<void> {
  const fields = [...response.headers].flat()
  const length = Number(response.headers.get('Content-Length') ?? 0)
  if (length > MAX_HELD_BYTES && response.body !== null) {
    const head = spellHead(response.status, fields, context.keepAlive, context.nowMs)
    context.socket.write(head, 'latin1')
    return stream(context.socket, response.body, length)
  }
  sendHeld(response.status, fields, response.body === null ? null : await response.bytes(), context)
}

function sendHeld(
  status: number,
  fields: readonly string[],
  body: Uint8Array | null,
  { socket, isHead, keepAlive, nowMs }: AnswerContext,
): void {
  const length = isHead || BODILESS.has(status) ? null : (body?.byteLength ?? 0)
  const head = spellHead(status, withLength(fields, length), keepAlive, nowMs)
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
  const slab = slabs.pop() ?? Buffer.allocUnsafeSlow(SLAB_BYTES)
  slab.write(head, 'latin1')
  slab.set(body, head.length)
  socket.write(slab.subarray(0, head.length + length), () => {
    if (slabs.length < MAX_SPARE_SLABS) slabs.push(slab)
  })
}

/** A length that is not the body's would make its rest, or the next answer's start, part of another answer. */
function withLength(fields: readonly string[], length: number | null): readonly string[] {
  if (length === null) return fields
  const at = fields.findIndex((field, index) => index % 2 === 0 && field.toLowerCase() === 'content-length')
  if (at === -1) return [...fields, 'content-length', String(length)]
  if (Number(fields[at + 1]) !== length) throw new RangeError('an answer names a length that is not its own')
  return fields
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
