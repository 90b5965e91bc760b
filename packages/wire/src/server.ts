import { type AddressInfo, createServer, type Socket } from 'node:net'
import {
  type Connection,
  type ConnectionLimits,
  type ReceivedRequest,
  serveConnection,
} from './connection.ts'
import { limitConnections } from './connection-limit.ts'
import type { GateRequest, GateResponse } from './messages.ts'
import type { RequestHeader } from './reading/parse-request.ts'
import { createOwnAddress, type OwnAddress, resolveTarget } from './reading/request-address.ts'
import { type Refusal, refuse } from './refusal.ts'
import { createTurns } from './turns.ts'
import type { BytesResponse } from './writing/bytes-response.ts'
import { createEndOfTurn } from './writing/end-of-turn.ts'
import { sendResponse } from './writing/send-response.ts'
import { serializeResponseHeader } from './writing/serialize-response.ts'

/** A fetch-style service, bound to one origin. */
export interface Service {
  readonly origin: URL
  /** Exact request targets that GET and HEAD may ask for under any Host, and over HTTP/1.0 without one. */
  readonly hostIndependentTargets?: ReadonlySet<string>
  /**
   * Longest body of a request that has a longer one than {@link NodeServerOptions.maxBodyBytes}, or one in chunks; asked before a byte of
   * it is read. Nothing longer than that without it.
   */
  maxBodyBytes?(request: Pick<GateRequest, 'method' | 'url' | 'headers'>): number
  handle(request: GateRequest, peer: { readonly remoteAddress: string }): GateResponse | Promise<GateResponse>
}

export interface NodeServerOptions {
  /** Makes the response to a request that is refused before it is one; the origin is null while there is no service. */
  readonly refusalResponse: (refusal: Refusal, origin: URL | null) => BytesResponse
  readonly maxConnections?: number
  /** Time for a whole request header (slowloris), and for header and body. */
  readonly headersTimeoutMs?: number
  readonly requestTimeoutMs?: number
  /** Idle timeout between two requests; default 65 s. */
  readonly idleTimeoutMs?: number
  /** A connection without any traffic for so long is dropped: slow readers, and streams that send nothing. */
  readonly silenceTimeoutMs?: number
  /** Longest request body; no route of the service takes a longer one. */
  readonly maxBodyBytes?: number
  /** Told of each request that was refused before it was one. */
  readonly onRefused?: (refusal: Refusal, remoteAddress: string) => void
  /** Told of responses that broke off half way and of connections that could not be accepted. */
  readonly onProblem?: (error: unknown) => void
}

export interface NodeServer {
  /** Listens; every request gets 503 until `attach`. Resolves to the port. */
  listen(port: number, host: string): Promise<number>
  /**
   * Serves requests from now on. Whatever does not name the service's own origin is for the one that `findOther` knows by this very
   * value of Host, in lower case; a request that no service is named by is refused.
   */
  attach(service: Service, findOther?: FindService): void
  /** Stops accepting, lets responses under way finish for `graceMs`, then drops what is left. */
  close(graceMs: number): Promise<void>
}

const MAX_BODY_BYTES = 65_536
const CHECK_TIME_EVERY_MS = 500
const BACKLOG = 511
const NO_TARGETS: ReadonlySet<string> = new Set()

/**
 * Serves a fetch-style service over HTTP/1.1. Everything ambiguous is refused here: one strict parser instead of a
 * lenient one whose reading would have to be judged again (decisions/024).
 */
export function createNodeServer(options: NodeServerOptions): NodeServer {
  const onProblem = options.onProblem ?? (() => {})
  const limits = limitsOf(options)
  const open = new Set<Connection>()
  const takeTurn = createTurns()
  const endOfTurn = createEndOfTurn()
  let attached: (Bound & { readonly findOther: FindService }) | null = null
  let isDraining = false
  const server = createServer({ allowHalfOpen: true, noDelay: true })
  const connections = limitConnections(server, options.maxConnections ?? 4_096)

  server.on('connection', (socket) => {
    const connection = serveConnection(socket, {
      resolve,
      respond: (request, isLast) => respond(request, isLast, socket),
      serializeRefusal: (refusal) => serializeRefusal(refusal, socket),
      onWaiting: (isWaiting) => (isWaiting ? connections.markWaiting(socket) : connections.markBusy(socket)),
      onProblem,
      takeTurn,
      limits,
      elapsed: () => performance.now(),
    })
    open.add(connection)
    socket.once('close', () => open.delete(connection))
    if (isDraining) connection.finish()
  })

  function resolve(header: RequestHeader): Destination | Refusal {
    if (attached === null) return refuse(503, 'not ready yet')
    const { service, own, findOther } = attached
    const url = resolveTarget(header, own)
    if (typeof url === 'string') return { url, service, maxBodyBytes: maxBodyBytesOf(header, url, service) }
    return (url.isMisdirected && resolveOther(header, findOther)) || url
  }

  /** The service is asked for a higher limit only where the body may need it. */
  function maxBodyBytesOf({ method, headers, bodyBytes }: RequestHeader, url: string, service: Service) {
    const usual = options.maxBodyBytes ?? MAX_BODY_BYTES
    if (bodyBytes !== null && bodyBytes <= usual) return usual
    return Math.max(usual, service.maxBodyBytes?.({ method, url, headers }) ?? 0)
  }

  /** Null where no other service is named either. */
  function resolveOther(header: RequestHeader, findOther: FindService): Destination | Refusal | null {
    const service = findOther(header.headers.get('host')?.toLowerCase() ?? '')
    if (service === null) return null
    const url = resolveTarget(header, bind(service).own)
    return typeof url === 'string'
      ? { url, service, maxBodyBytes: maxBodyBytesOf(header, url, service) }
      : url
  }

  async function respond(
    { header, destination: { url, service }, body }: ReceivedRequest<Destination>,
    isLast: boolean,
    socket: Socket,
  ): Promise<void> {
    const { method, headers, isHttp10 } = header
    const request = { method, url, headers, body: body === null ? null : new Response(body).body }
    const response = await service.handle(request, { remoteAddress: socket.remoteAddress ?? '' })
    await endOfTurn()
    const keepAlive = !isLast && !isDraining
    await sendResponse(response, {
      socket,
      isHead: method === 'HEAD',
      isHttp10,
      keepAlive,
      nowMs: Date.now(),
    })
  }

  /** A refusal closes the connection: what follows on it can no longer be told from the refused request. */
  function serializeRefusal(refusal: Refusal, socket: Socket): Buffer {
    options.onRefused?.(refusal, socket.remoteAddress ?? '')
    const { status, headers, held } = options.refusalResponse(refusal, attached?.service.origin ?? null)
    headers.set('content-length', String(held?.length ?? 0))
    if (status === 405) headers.set('allow', 'GET, HEAD') // TRACE and TRACK; RFC 9110 §15.5.6 wants the header
    const header = serializeResponseHeader({ status, headers, keepAlive: false, nowMs: Date.now() })
    return Buffer.concat([Buffer.from(header, 'latin1'), held ?? new Uint8Array()])
  }

  const timer = setInterval(() => {
    for (const connection of open) connection.checkTime()
  }, CHECK_TIME_EVERY_MS).unref()

  return {
    listen: (port, host) =>
      new Promise((fulfil, reject) => {
        server.once('error', reject)
        server.listen({ port, host, backlog: BACKLOG }, () => {
          server.off('error', reject)
          server.on('error', onProblem) // such as no file descriptor left for accept
          fulfil((server.address() as AddressInfo).port)
        })
      }),
    attach(service, findOther = () => null) {
      attached = { ...bind(service), findOther }
    },
    async close(graceMs) {
      isDraining = true
      const closed = new Promise<void>((fulfil) => server.close(() => fulfil()))
      for (const connection of open) connection.finish()
      const grace = setTimeout(connections.dropAll, graceMs)
      await closed
      clearTimeout(grace)
      clearInterval(timer)
    },
  }
}

/** Finds a service by a value of Host, in lower case. */
type FindService = (host: string) => Service | null

/** A service and the address that names it. */
interface Bound {
  readonly service: Service
  readonly own: OwnAddress
}

/** Service and body limit of a request; decided once, before the body is read. */
interface Destination {
  readonly url: string
  readonly service: Service
  readonly maxBodyBytes: number
}

function bind(service: Service): Bound {
  return { service, own: createOwnAddress(service.origin, service.hostIndependentTargets ?? NO_TARGETS) }
}

function limitsOf(options: NodeServerOptions): ConnectionLimits {
  return {
    headerMs: options.headersTimeoutMs ?? 10_000,
    requestMs: options.requestTimeoutMs ?? 30_000,
    idleMs: options.idleTimeoutMs ?? 65_000, // longer than the usual 60 s of a proxy, so that the proxy closes first
    silenceMs: options.silenceTimeoutMs ?? 60_000,
  }
}
