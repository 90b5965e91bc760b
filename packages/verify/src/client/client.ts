import { isIP } from 'node:net'
import { type Connection, openConnection, type WireEndpoint } from './connection.ts'
import { encodeRequest, type WireRequest } from './request.ts'
import type { WireOutcome } from './response.ts'

/** Tuning of a client; every field has a default. */
interface WireClientOptions {
  /** Connections kept open at a time. */
  readonly connections?: number
  /** Requests written at once on a connection before their answers are read. */
  readonly depth?: number
  readonly timeoutMs?: number
  /** Silence after which the server counts as finished with raw bytes. */
  readonly quietMs?: number
  /** Value of the `Host` line; the origin's own host unless the gate has another name. */
  readonly host?: string
  /** PEM certificates to trust in place of the public ones. */
  readonly ca?: string
}

/** Sends exact bytes to one HTTP/1.1 server and reads exact answers. */
export interface WireClient {
  /**
   * Sends every request over kept-alive connections and reports each with its outcome. Over one connection they go in
   * order, each behind the one before it; over several (the default) in no fixed order.
   */
  readonly exchangeAll: <Probe extends { readonly request: WireRequest }>(
    probes: Iterable<Probe>,
    onOutcome: (probe: Probe, outcome: WireOutcome) => void,
    connections?: number,
  ) => Promise<void>
  /** Sends every request at the same moment, each on a connection of its own that was opened before. */
  readonly exchangeTogether: <Probe extends { readonly request: WireRequest }>(
    probes: readonly Probe[],
    onOutcome: (probe: Probe, outcome: WireOutcome) => void,
  ) => Promise<void>
  /** Sends one request on a connection of its own. */
  readonly exchange: (request: WireRequest) => Promise<WireOutcome>
  /** Sends bytes as they are on a connection of their own and reads all that comes back, answer by answer. */
  readonly exchangeBytes: (bytes: Buffer, maxAnswers: number) => Promise<readonly WireOutcome[]>
}

const DEFAULTS = { connections: 8, depth: 16, timeoutMs: 15_000, quietMs: 500 }

/** Makes a client for the server at an `http:` or `https:` origin. */
export function createWireClient(origin: URL, options: WireClientOptions = {}): WireClient {
  const { connections, depth, timeoutMs, quietMs } = { ...DEFAULTS, ...options }
  const host = options.host ?? origin.host
  const endpoint = { ...endpointOf(origin, host), ca: options.ca }

  async function exchange(request: WireRequest): Promise<WireOutcome> {
    const connection = await openConnection(endpoint, timeoutMs)
    const bytes = encodeRequest(request, host)
    const [outcome] = await connection.exchange(bytes, [request.method], timeoutMs)
    connection.close()
    return outcome ?? { kind: 'closed', bytes: Buffer.alloc(0) }
  }

  /** Drops requests that find no free connection: something in front may admit fewer. */
  async function exchangeTogether<Probe extends { readonly request: WireRequest }>(
    probes: readonly Probe[],
    onOutcome: (probe: Probe, outcome: WireOutcome) => void,
  ): Promise<void> {
    const opened = await Promise.allSettled(probes.map(() => openConnection(endpoint, timeoutMs)))
    const waiting = probes.flatMap((probe, index) => {
      const connection = opened[index]
      return connection?.status === 'fulfilled' ? [{ probe, connection: connection.value }] : []
    })
    const asked = waiting.map(async ({ probe, connection }) => {
      const bytes = encodeRequest(probe.request, host)
      const [outcome] = await connection.exchange(bytes, [probe.request.method], timeoutMs)
      connection.close()
      if (outcome !== undefined) onOutcome(probe, outcome)
    })
    await Promise.all(asked)
  }

  async function exchangeAll<Probe extends { readonly request: WireRequest }>(
    probes: Iterable<Probe>,
    onOutcome: (probe: Probe, outcome: WireOutcome) => void,
    lanes = connections,
  ): Promise<void> {
    const source = probes[Symbol.iterator]()
    await Promise.all(Array.from({ length: lanes }, () => runLane(source, onOutcome)))
  }

  /** Pipelines as deeply as the server lets it: a server that closes after each answer is asked one by one. */
  async function runLane<Probe extends { readonly request: WireRequest }>(
    source: Iterator<Probe>,
    onOutcome: (probe: Probe, outcome: WireOutcome) => void,
  ): Promise<void> {
    let connection: Connection | null = null
    let width = depth
    let batch = take(source, width)
    while (batch.length > 0) {
      if (connection === null || !connection.usable()) connection = await openConnection(endpoint, timeoutMs)
      const bytes = Buffer.concat(batch.map(({ request }) => encodeRequest(request, host)))
      const methods = batch.map(({ request }) => request.method)
      const outcomes = await connection.exchange(bytes, methods, timeoutMs)
      const rest = await settle(batch, outcomes, onOutcome)
      width = rest.length === 0 ? Math.min(width * 2, depth) : 1
      batch = rest.length === 0 ? take(source, width) : rest
    }
    connection?.close()
  }

  /** Reports what was answered, asks the one that broke the batch again alone, returns what is still to ask. */
  async function settle<Probe extends { readonly request: WireRequest }>(
    batch: readonly Probe[],
    outcomes: readonly WireOutcome[],
    onOutcome: (probe: Probe, outcome: WireOutcome) => void,
  ): Promise<Probe[]> {
    for (const [index, probe] of batch.entries()) {
      const outcome = outcomes[index]
      if (outcome?.kind === 'response') {
        onOutcome(probe, outcome)
        continue
      }
      const isBehindAClose = index > 0 && outcome?.kind === 'closed' && outcome.bytes.length === 0
      if (isBehindAClose) return batch.slice(index)
      onOutcome(probe, await exchange(probe.request))
      return batch.slice(index + 1)
    }
    return []
  }

  return {
    exchange,
    exchangeAll,
    exchangeTogether,
    async exchangeBytes(bytes, maxAnswers) {
      const connection = await openConnection(endpoint, timeoutMs)
      const outcomes = await connection.exchange(bytes, ['GET'], timeoutMs)
      if (connection.usable() && maxAnswers > 1) {
        const more = Array<string>(maxAnswers - 1).fill('GET')
        outcomes.push(...(await connection.exchange(Buffer.alloc(0), more, quietMs)))
      }
      connection.close()
      return outcomes
    },
  }
}

function take<Item>(source: Iterator<Item>, count: number): Item[] {
  const items: Item[] = []
  while (items.length < count) {
    const step = source.next()
    if (step.done === true) break
    items.push(step.value)
  }
  return items
}

/** Connects to the origin's address; TLS asks for the name the gate is called by, unless that is an address. */
function endpointOf(origin: URL, calledHost: string): Omit<WireEndpoint, 'ca'> {
  const secure = origin.protocol === 'https:'
  const host = origin.hostname.replace(/^\[|\]$/g, '')
  const port = origin.port === '' ? (secure ? 443 : 80) : Number(origin.port)
  const name = calledHost.replace(/:\d+$/, '')
  return { host, port, servername: secure ? (isIP(name) === 0 ? name : '') : null }
}
