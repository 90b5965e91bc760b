import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type Connection, type ConnectionLimits, serveConnection, type WireRequest } from './connection.ts'
import { limitConnections } from './connection-limit.ts'
import { createLongHeads } from './long-heads.ts'
import type { PlainHeaders } from './plain-headers.ts'
import { createGateRequest, type GateRequest } from './request.ts'
import type { RefusedStatus, RequestHead } from './request-head.ts'
import { type OurAddress, readWire, type WireReading } from './request-rules.ts'
import type { GateResponse } from './response.ts'
import { spellHead } from './response-head.ts'
import { sendAnswer } from './write-response.ts'

/** A fetch-style gate, bound to the only origin it answers for. */
export interface Service {
  readonly origin: URL
  handle(request: GateRequest, peer: { readonly remoteAddress: string }): GateResponse | Promise<GateResponse>
}

export interface NodeServerOptions {
  /** Headers of the answer to a request that is refused before it is one; no service answers yet while it is null. */
  readonly refusalHeaders: (origin: URL | null) => PlainHeaders
  readonly maxConnections?: number
  /** How many connections may ask with a head longer than others at the same time. */
  readonly maxLongHeads?: number
  /** Time for a whole request head (slowloris), and for head and body. */
  readonly headersTimeoutMs?: number
  readonly requestTimeoutMs?: number
  /** Longest request body; no route of the gate takes a longer one. */
  readonly maxBodyBytes?: number
  /** A connection without any traffic for so long is dropped: slow readers. */
  readonly silenceTimeoutMs?: number
  /** Told of each request that was refused before it was one. */
  readonly onRefused?: (status: RefusedStatus, remoteAddress: string) => void
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

const MAX_BODY_BYTES = 65_536
const CHECK_TIME_EVERY_MS = 500
const BACKLOG = 511

/**
 * Serves the fetch-style handler over HTTP/1.1. Everything ambiguous on the wire is refused here, with bare answers:
 * one strict reader instead of a lenient one whose reading would have to be judged again (decisions/028).
 */
export function createNodeServer(options: NodeServerOptions): NodeServer {
  const onProblem = options.onProblem ?? (() => {})
  const limits = limitsOf(options)
  const open = new Set<Connection>()
  let service: Service | null = null
  let ours: OurAddress = { origin: '', host: '' }
  let isDraining = false
  const server = createServer({ allowHalfOpen: true, noDelay: true })
  const longHeads = createLongHeads(options.maxLongHeads)
  const connections = limitConnections(server, options.maxConnections ?? 4_096)

  server.on('connection', (socket) => {
    const connection = serveConnection(socket, {
      judge,
      answer: (request, isLast) => answer(request, isLast, socket),
      refusal: (status) => refuse(status, socket),
      onWaiting: (isWaiting) => (isWaiting ? connections.markWaiting(socket) : connections.markBusy(socket)),
      onProblem,
      limits,
      longHeads,
      elapsed: () => performance.now(),
    })
    open.add(connection)
    socket.once('close', () => open.delete(connection))
    if (isDraining) connection.finish()
  })

  function refuse(status: RefusedStatus, socket: Socket): string {
    options.onRefused?.(status, socket.remoteAddress ?? '')
    return spellRefusal(status, options.refusalHeaders(service?.origin ?? null))
  }

  function judge(head: RequestHead): WireReading {
    if (service === null) return { ok: false, status: 503 }
    if (head.bodyBytes > (options.maxBodyBytes ?? MAX_BODY_BYTES)) return { ok: false, status: 413 }
    return readWire(head, ours)
  }

  function answer(request: WireRequest, isLast: boolean, socket: Socket): Promise<void> | null {
    const { method, headers } = request.head
    const peer = { remoteAddress: socket.remoteAddress ?? '' }
    const response = service?.handle(createGateRequest(method, request.url, headers, request.body), peer)
    if (response === undefined) throw new Error('a request was let through before there is a service')
    const send = (ready: GateResponse) => {
      const keepAlive = !isLast && !isDraining
      return sendAnswer(ready, { socket, isHead: method === 'HEAD', keepAlive, nowMs: Date.now() })
    }
    if (!(response instanceof Promise)) return send(response)
    return response.then(async (ready) => {
      await send(ready)
    })
  }

  const timer = setInterval(() => {
    for (const connection of open) connection.checkTime()
  }, CHECK_TIME_EVERY_MS).unref()

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen({ port, host, backlog: BACKLOG }, () => {
          server.off('error', reject)
          server.on('error', onProblem) // such as no file descriptor left for accept
          resolve((server.address() as AddressInfo).port)
        })
      }),
    attach(next) {
      service = next
      ours = { origin: next.origin.origin, host: next.origin.host }
    },
    async close(graceMs) {
      isDraining = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const connection of open) connection.finish()
      const grace = setTimeout(connections.dropAll, graceMs)
      await closed
      clearTimeout(grace)
      clearInterval(timer)
    },
  }
}

function limitsOf(options: NodeServerOptions): ConnectionLimits {
  return {
    headMs: options.headersTimeoutMs ?? 10_000,
    requestMs: options.requestTimeoutMs ?? 30_000,
    idleMs: 65_000, // longer than the usual 60 s of a proxy, so the proxy closes first
    silenceMs: options.silenceTimeoutMs ?? 60_000,
  }
}

/** A refusal closes the connection: what follows on it can no longer be told from the refused request. */
function spellRefusal(status: RefusedStatus, headers: PlainHeaders): string {
  headers.set('Content-Length', '0')
  return spellHead(status, headers, false, Date.now())
}
