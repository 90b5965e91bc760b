import { PlainHeaders } from './plain-headers.ts'

/** Bytes whose memory no other thread shares. */
export type Bytes = Uint8Array<ArrayBuffer>

interface Init {
  readonly status?: number
  readonly headers?: PlainHeaders | Readonly<Record<string, string>>
}

type Replaced = 'headers' | 'body' | 'bytes' | 'arrayBuffer' | 'blob' | 'text' | 'json' | 'clone'
/** The platform's class without what is replaced here: its type declares fields, which methods cannot override. */
const Base: new (body: null, init: { status: number }) => Omit<Response, Replaced> = Response

/**
 * An answer whose whole body is at hand, or that has none. The platform wraps such a body in a stream, for 150 µs
 * and as much garbage; here the adapter takes `held` as it is, and everybody else can still read the answer the
 * usual way, as often as they like.
 */
export class BytesResponse extends Base implements Response {
  readonly held: Bytes | null
  declare readonly headers: PlainHeaders
  declare readonly body: Response['body']

  constructor(held: Bytes | null, { status = 200, headers = {} }: Init = {}) {
    super(null, { status })
    this.held = held
    Object.defineProperty(this, 'headers', {
      value: headers instanceof PlainHeaders ? headers : new PlainHeaders(headers),
    })
  }

  /** The same answer to HEAD. */
  withoutBody(): BytesResponse {
    return new BytesResponse(null, { status: this.status, headers: this.headers })
  }

  async bytes(): Promise<Bytes> {
    return this.held === null ? new Uint8Array() : new Uint8Array(this.held)
  }
  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer
  }
  async blob(): Promise<Blob> {
    return new Blob([await this.bytes()], { type: this.headers.get('Content-Type') ?? '' })
  }
  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes())
  }
  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }
  clone(): Response {
    return new BytesResponse(this.held, { status: this.status, headers: Object.fromEntries(this.headers) })
  }
}

/** TypeScript knows `body` as a field, which a class cannot with a getter. */
Object.defineProperty(BytesResponse.prototype, 'body', {
  get(this: BytesResponse) {
    return this.held === null ? null : new Response(this.held).body
  },
})
