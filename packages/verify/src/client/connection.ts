import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { readResponse, type WireOutcome } from './response.ts'

/** A host to connect to. `servername` is sent in TLS; null means plain TCP. */
export interface WireEndpoint {
  readonly host: string
  readonly port: number
  readonly servername: string | null
  /** PEM certificates to trust in place of the public ones. */
  readonly ca?: string | undefined
}

/** One TCP or TLS connection that answers a batch of requests in order. */
export interface Connection {
  readonly usable: () => boolean
  /**
   * Writes the bytes and reads one answer per method named. Fewer outcomes come back when the peer stops
   * early; the last one then says why.
   */
  readonly exchange: (bytes: Buffer, methods: readonly string[], timeoutMs: number) => Promise<WireOutcome[]>
  readonly close: () => void
}

/** No usable response from the endpoint: no listener, no route, a bad certificate. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
  readonly code = 'gate_unreachable'
}

/** Opens a connection; rejects with {@link UnreachableError} when that cannot be done. */
export function openConnection(endpoint: WireEndpoint, timeoutMs: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const { host, port, servername, ca } = endpoint
    const socket =
      servername === null ? connectTcp({ host, port }) : connectTls({ host, port, servername, ca })
    socket.setNoDelay(true)
    const timer = setTimeout(
      () => socket.destroy(new Error(`no connection within ${timeoutMs} ms`)),
      timeoutMs,
    )
    const onError = (cause: NodeJS.ErrnoException) =>
      reject(new UnreachableError(cause.message || `${cause.code}`, { cause })) // two families refused: no message
    socket.once('error', onError)
    socket.once(servername === null ? 'connect' : 'secureConnect', () => {
      clearTimeout(timer)
      socket.off('error', onError)
      resolve(connectionOver(createIncoming(socket), socket))
    })
    socket.once('close', () => clearTimeout(timer))
  })
}

/** Bytes received on a socket and not yet read as a response. */
interface Incoming {
  readonly size: () => number
  readonly bytes: () => Buffer
  readonly drop: (count: number) => void
  readonly hasEnded: () => boolean
  /** Calls back at every arrival and at the end; one listener at a time. */
  readonly listen: (onChange: () => void) => void
}

function createIncoming(socket: Socket): Incoming {
  let chunks: Buffer[] = []
  let size = 0
  let hasEnded = false
  let notify = () => {}
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    notify()
  })
  for (const event of ['end', 'close', 'error']) {
    socket.on(event, () => {
      hasEnded = true
      notify()
    })
  }
  const bytes = () => {
    if (chunks.length > 1) chunks = [Buffer.concat(chunks)]
    return chunks[0] ?? Buffer.alloc(0)
  }
  return {
    size: () => size,
    bytes,
    drop(count) {
      chunks = [bytes().subarray(count)]
      size -= count
    },
    hasEnded: () => hasEnded,
    listen(onChange) {
      notify = onChange
    },
  }
}

function connectionOver(incoming: Incoming, socket: Socket): Connection {
  return {
    usable: () => !incoming.hasEnded() && !socket.destroyed,
    close: () => socket.destroy(),
    exchange(bytes, methods, timeoutMs) {
      const outcomes: WireOutcome[] = []
      return new Promise((resolve) => {
        const finish = (last: Stop | 'done') => {
          clearTimeout(timer)
          incoming.listen(() => {})
          if (last !== 'done') {
            outcomes.push({ kind: last, bytes: incoming.bytes() })
            socket.destroy()
          }
          resolve(outcomes)
        }
        const timer = setTimeout(() => finish('timeout'), timeoutMs)
        const proceed = answerReader(incoming, methods, outcomes)
        const advance = () => {
          const state = proceed()
          if (state !== 'waiting') finish(state)
        }
        incoming.listen(advance)
        if (bytes.length > 0) socket.write(bytes)
        advance()
      })
    },
  }
}

type Stop = 'closed' | 'timeout' | 'unreadable'

/** Returns a step that turns what has arrived into outcomes, and says whether there is more to wait for. */
function answerReader(incoming: Incoming, methods: readonly string[], outcomes: WireOutcome[]) {
  let needed = 1
  return (): Stop | 'done' | 'waiting' => {
    if (incoming.size() < needed && !incoming.hasEnded()) return 'waiting'
    for (const method of methods.slice(outcomes.length)) {
      const reading = readResponse(incoming.bytes(), method, incoming.hasEnded())
      if (reading.kind === 'unreadable') return 'unreadable'
      if (reading.kind === 'partial') {
        needed = reading.needed
        return incoming.hasEnded() ? 'closed' : 'waiting'
      }
      incoming.drop(reading.next)
      needed = 1
      outcomes.push({ kind: 'response', response: reading.response })
    }
    return 'done'
  }
}
