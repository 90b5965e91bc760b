import { type Refusal, refuse } from '../refusal.ts'
import { ReceiveBuffer } from './receive-buffer.ts'

/** A chunk's size and its line end, or the beginning of such a line; up to 8 digits, leading zeros included. */
const SIZE_LINE = /^[0-9a-f]{1,8}(?:\r\n|\r?$)/i
const MAX_SIZE_LINE_BYTES = 10
const CRLF = '\r\n'

/**
 * A body in chunks (RFC 9112 §7.1), of one grammar: sizes of up to 8 hexadecimal digits, CRLF, no extensions and no trailers.
 * What is malformed or too long is refused at its first byte, alike however the bytes were cut into packets.
 */
export class ChunkedBody {
  readonly #maxBytes: number
  readonly #data = new ReceiveBuffer()
  #next: 'size' | 'data' | 'end of data' | 'end' = 'size'
  #missing = 0 // bytes of the current chunk that have not arrived

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Consumes what has arrived, up to the end of the body; returns the whole body, or null while it is incomplete. */
  read(received: ReceiveBuffer): Uint8Array<ArrayBuffer> | Refusal | null {
    while (received.length > 0) {
      const next = this.#next
      const step = next === 'size' ? this.#readSize(received) : this.#readRest(received)
      if (step !== 'read') return step
      if (next === 'end') return new Uint8Array(this.#data.peek())
    }
    return null
  }

  #readSize(received: ReceiveBuffer): 'read' | Refusal | null {
    const [line] = SIZE_LINE.exec(received.peek().toString('latin1', 0, MAX_SIZE_LINE_BYTES)) ?? []
    if (line === undefined) return refuse(400, 'no valid chunk size')
    if (!line.endsWith(CRLF)) return null
    const size = Number.parseInt(line, 16)
    if (this.#data.length + size > this.#maxBytes) return refuse(413, 'the body is too long')
    received.consume(line.length)
    this.#missing = size
    this.#next = size === 0 ? 'end' : 'data'
    return 'read'
  }

  #readRest(received: ReceiveBuffer): 'read' | Refusal | null {
    if (this.#next === 'data') {
      const data = received.peek().subarray(0, this.#missing)
      this.#data.append(data)
      this.#missing -= data.length
      received.consume(data.length)
      if (this.#missing === 0) this.#next = 'end of data'
      return 'read'
    }
    const lineEnd = received.peek().toString('latin1', 0, CRLF.length)
    if (!CRLF.startsWith(lineEnd))
      return refuse(400, this.#next === 'end' ? 'a trailer' : 'a chunk longer than its size')
    if (lineEnd.length < CRLF.length) return null
    received.consume(CRLF.length)
    this.#next = 'size'
    return 'read'
  }
}
