import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo, BlockList } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { BytesResponse } from './bytes-response.ts'
import { clientAddress } from './client-address.ts'
import { limitConnections } from './connection-limit.ts'
import { PlainHeaders } from './plain-headers.ts'
import { bareHeaders } from './secure-headers.ts'
import { readWire } from './wire-rules.ts'

/** A fetch-style gate, bound to the only origin it answers for. */
export interface Service {
  readonly origin: URL
  handle(request: Request, peer: { readonly clientAddress: string }): Promise<Response>
}

export interface NodeServerOptions {
  readonly trustedProxies: BlockList
  readonly maxConnections?: number
  /** Time for a whole request head (slowloris), and for head and body. */
  readonly headersTimeoutMs?: number
  readonly requestTimeoutMs?: number
  /** Longest request body; no route of the gate takes a longer one. */
  readonly maxBodyBytes?: number
  /** A connection without any traffic for so long is dropped: slow readers. */
  readonly silenceTimeoutMs?: number
  /** Told of answers that broke off half way and of connections that could not be accepted. */
  readonly onProblem?: (error: unknown) => void
}

export interface NodeServer {
  /** Listens; every request gets 503 until `attach`. Resolves to the port. */
  listen(port: number, host: string): Promise<number>
  attach(service: Service): void
  /** Stops accepting, lets answers under way finish for `graceMs`, then drops what is left. */
  close(graceMs: number): Promise<void>
}

/** Answers up to this size are sent in one write; larger ones are streamed. */
const MAX_BUFFERED_BYTES = 262_144
const MAX_HEAD_BYTES = 16_384
const MAX_BODY_BYTES = 65_536

/** Adapts node:http to the fetch-style handler. Everything ambiguous on the wire is refused here, with bare answers. */
export function createNodeServer(options: NodeServerOptions): NodeServer {
  const state: { service: Service | null; draining: boolean } = { service: null, draining: false }
  const server = createServer({
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: options.headersTimeoutMs ?? 10_000,
    requestTimeout: options.requestTimeoutMs ?? 30_000,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 65_000, // longer than the usual 60 s of a proxy, so the proxy closes first
    requireHostHeader: false, // judged with the other rules, so that the refusal carries our headers
    insecureHTTPParser: false,
  })
  server.maxHeadersCount = 0 // the default drops headers silently; the rules count them instead
  server.setTimeout(options.silenceTimeoutMs ?? 60_000)
  const connections = limitConnections(server, options.maxConnections ?? 4_096)

  server.on('request', (message, outgoing) => {
    connections.markBusy(message.socket)
    outgoing.once('close', () => {
      if (state.draining) message.socket.end()
      else connections.markWaiting(message.socket)
    })
    answer(message, outgoing).catch((error: unknown) => {
      message.socket.destroy() // `outgoing` may still wait for the socket behind a pipelined answer
      options.onProblem?.(error)
    })
  })
  server.on('checkContinue', (message, outgoing) => server.emit('request', message, outgoing))
  server.on('checkExpectation', (message, outgoing) => server.emit('request', message, outgoing))
  server.on('connect', (_message, socket) => {
    socket.on('error', () => socket.destroy()) // node has let go of it: unheard, a reset would end the process
    socket.end(rawRefusal(400, isHttps()))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const status = CLIENT_ERROR_STATUS.get(error.code ?? '') ?? 400
    if (socket.writable && connections.isWaiting(socket)) socket.end(rawRefusal(status, isHttps()))
    else socket.destroy() // half an answer may be out already: nothing can be appended to it
  })

  const isHttps = () => state.service?.origin.protocol === 'https:'

  async function answer(message: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { service } = state
    if (service === null) return refuse(outgoing, 503, false)
    const headers = PlainHeaders.fromWire(message.rawHeaders)
    const wire = readWire(message, headers, service.origin)
    if (!wire.ok) return refuse(outgoing, wire.status, isHttps())
    const peer = {
      clientAddress: clientAddress(
        message.socket.remoteAddress ?? '',
        headers.get('x-forwarded-for') ?? undefined,
        options.trustedProxies,
      ),
    }
    const body = await readBody(message, options.maxBodyBytes ?? MAX_BODY_BYTES)
    if (body === 'too_large') return refuse(outgoing, 413, isHttps())
    await send(
      await service.handle(toRequest(message.method ?? 'GET', wire.url, headers, body), peer),
      outgoing,
    )
  }

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          server.on('error', (error) => options.onProblem?.(error)) // such as no file descriptor left for accept
          resolve((server.address() as AddressInfo).port)
        })
      }),
    attach(service) {
      state.service = service
    },
    async close(graceMs) {
      state.draining = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      connections.dropWaiting()
      const timer = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(timer)
    },
  }
}

const CLIENT_ERROR_STATUS: ReadonlyMap<string, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
])

function toRequest(
  method: string,
  url: string,
  headers: PlainHeaders,
  body: Uint8Array<ArrayBuffer> | null,
): Request {
  if (body !== null) return new Request(url, { method, headers, body })
  return Object.defineProperty(new Request(url, { method }), 'headers', { value: headers })
}

/**
 * Reads a body whole before anybody judges the request. Bodies here are small, and a stream that a handler leaves
 * half read would take the connection, and with it the answer, down.
 */
async function readBody(
  message: IncomingMessage,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null | 'too_large'> {
  if (message.method === 'GET' || message.method === 'HEAD') return null
  if (Number(message.headers['content-length'] ?? 0) > maxBytes) return 'too_large'
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    size += chunk.byteLength
    if (size > maxBytes) return 'too_large'
    chunks.push(chunk)
  }
  return size === 0 ? null : new Uint8Array(Buffer.concat(chunks))
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  if (response instanceof BytesResponse) {
    outgoing.writeHead(response.status, response.headers.toWire())
    return void outgoing.end(response.held)
  }
  outgoing.writeHead(response.status, [...response.headers].flat())
  if (response.body === null) return void outgoing.end()
  const length = Number(response.headers.get('Content-Length') ?? Number.NaN)
  if (length <= MAX_BUFFERED_BYTES) return void outgoing.end(await response.bytes())
  await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing)
}

/** Refusals close the connection: what follows on it can no longer be told from the refused body. */
function refuse(outgoing: ServerResponse, status: number, https: boolean): void {
  const headers = bareHeaders({ https })
  headers.set('Connection', 'close')
  headers.set('Content-Length', '0')
  outgoing.writeHead(status, headers.toWire())
  outgoing.end()
}

function rawRefusal(status: number, https: boolean): string {
  const headers = [...bareHeaders({ https })].map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  return `${head}${headers.join('')}Content-Length: 0\r\nConnection: close\r\n\r\n`
}
