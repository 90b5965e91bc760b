import { type HeadersChange, PlainHeaders } from './plain-headers.ts'
import type { GateResponse } from './response.ts'

/** Bytes whose memory no other thread shares. */
export type Bytes = Uint8Array<ArrayBuffer>

interface Init {
  readonly status?: number
  readonly headers?: PlainHeaders | Readonly<Record<string, string>>
}

/**
 * An answer whose whole body is at hand, or that has none. The platform wraps such a body in a stream, for 150 µs
 * and as much garbage; here the adapter takes `held` as it is, and everybody else can still read the answer the
 * usual way, as often as they like.
 */
export class BytesResponse implements GateResponse {
  readonly held: Bytes | null
  readonly status: number
  #headers: PlainHeaders

  constructor(held: Bytes | null, { status = 200, headers = {} }: Init = {}) {
    this.held = held
    this.status = status
    this.#headers = headers instanceof PlainHeaders ? headers : new PlainHeaders(headers)
  }

  get headers(): PlainHeaders {
    return this.#headers
  }

  /** Changes the headers of this answer, and of no other that shares them. */
  changeHeaders(change: HeadersChange): void {
    this.#headers = this.#headers.after(change)
  }

  /** The same answer to HEAD. */
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

/** Changes the headers of an answer, whoever made it. */
export function changeHeaders(response: GateResponse, change: HeadersChange): void {
  if (response instanceof BytesResponse) response.changeHeaders(change)
  else change(response.headers)
}
