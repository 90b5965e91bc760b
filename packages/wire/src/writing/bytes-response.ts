import type { GateResponse } from '../messages.ts'
import { PlainHeaders } from '../plain-headers.ts'

/** Bytes whose memory no other thread shares. */
export type Bytes = Uint8Array<ArrayBuffer>

interface Init {
  readonly status?: number
  readonly headers?: PlainHeaders | Readonly<Record<string, string>>
}

/**
 * A response whose whole body is in memory, or that has none. The platform's `Response` wraps it in a stream, the slowest part of serving a
 * page; the server sends `held` directly, and the usual readers still work, repeatedly.
 */
export class BytesResponse implements GateResponse {
  readonly held: Bytes | null
  readonly status: number
  readonly headers: PlainHeaders

  /** Text is sent in UTF-8; a body names its length. */
  constructor(body: Bytes | string | null, { status = 200, headers = {} }: Init = {}) {
    this.held = typeof body === 'string' ? new Uint8Array(Buffer.from(body)) : body
    this.status = status
    this.headers = headers instanceof PlainHeaders ? headers : new PlainHeaders(headers)
    if (this.held !== null && !this.headers.has('content-length'))
      this.headers.set('content-length', String(this.held.byteLength))
  }

  /** The same response to HEAD. */
  withoutBody(): BytesResponse {
    return new BytesResponse(null, { status: this.status, headers: this.headers })
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }
  get body(): GateResponse['body'] {
    return this.held === null ? null : new Response(this.held).body
  }
  async bytes(): Promise<Bytes> {
    return this.held === null ? new Uint8Array() : new Uint8Array(this.held)
  }
  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer
  }
  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes())
  }
  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }
}
