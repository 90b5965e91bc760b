import type { GateResponse } from '../messages.ts'
import { PlainHeaders } from '../plain-headers.ts'

/** Bytes whose memory no other thread shares. */
export type Bytes = Uint8Array<ArrayBuffer>

interface Init {
  readonly status?: number
  readonly headers?: PlainHeaders | Readonly<Record<string, string>>
}

/**
 * A response whose whole body is at hand, or that has none. The platform's `Response` wraps such a body in a stream, which
 * takes longer than everything else a page needs; the server sends `held` as it is, and everybody else can still read
 * the response the usual way, as often as they like.
 */
export class BytesResponse implements GateResponse {
  readonly held: Bytes | null
  readonly status: number
  readonly headers: PlainHeaders

  constructor(held: Bytes | null, { status = 200, headers = {} }: Init = {}) {
    this.held = held
    this.status = status
    this.headers = headers instanceof PlainHeaders ? headers : new PlainHeaders(headers)
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
