import type { Socket } from 'node:net'
import { readDirectly } from './direct-read.ts'
import type { LongHeads } from './long-heads.ts'
import {
  createHeadReader,
  findEndOfHead,
  isMalformed,
  isSearchHead,
  MAX_HEAD_BYTES,
  MAX_SEARCH_HEAD_BYTES,
  type RefusedStatus,
  type RequestHead,
  SEARCH_PREFIX_BYTES,
  type TakenHead,
} from './request-head.ts'
import type { WireReading } from './request-rules.ts'

/** One request as it came off a connection. */
export interface WireRequest {
  readonly head: RequestHead
  /** What the head names, as the judge read it. */
  readonly url: string
  readonly body: Uint8Array<ArrayBuffer> | null
}

export interface ConnectionOptions {
  /** Judges a head before its body is read; a refusal ends the connection. */
  readonly judge: (head: RequestHead) => WireReading
  /**
   * Answers one request; resolves, or is null at once, when the next may be read. What it throws ends the connection
   * without another byte.
   */
  readonly answer: (request: WireRequest, isLast: boolean) => Promise<void> | null
  /** The whole answer to a request that is refused before it is one. */
  readonly refusal: (status: RefusedStatus) => string
  /** Told whether the peer owes us a request or we owe it an answer. */
  readonly onWaiting: (isWaiting: boolean) => void
  readonly onProblem: (error: unknown) => void
  readonly limits: ConnectionLimits
  /** Shared by all connections. */
  readonly longHeads: LongHeads
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number
}

/** A look at the clock every half second enforces them: each may take so much longer. */
export interface ConnectionLimits {
  /** From the first byte of a head, or from the start of the connection, to the end of the head. */
  readonly headMs: number
  /** From the first byte of a head to the end of the body. */
  readonly requestMs: number
  /** Between two requests. */
  readonly idleMs: number
  /** Without a byte either way while an answer is owed or leaves: slow readers. */
  readonly silenceMs: number
}

/** One client's connection: requests come one after the other, and each is answered before the next is read. */
export interface Connection {
  /** Ends what has taken too long; called twice a second. */
  checkTime(): void
  /** Closes at once when nothing is owed, else after the answer under way. */
  finish(): void
}

/** A client that sends ahead waits at this many bytes until it has read its answers. */
const MAX_AHEAD_BYTES = 65_536
/** How long what a refused client still sends is read and dropped, so that it can read why (RFC 9112 §9.6). */
const LINGER_MS = 1_000
const CARRIAGE_RETURN = 0x0d
const NOTHING = Buffer.alloc(0)

type Phase = 'head' | 'body' | 'answer' | 'closed'

/** Reads requests off a socket by one strict grammar, and never two at a time. */
export function serveConnection(socket: Socket, options: ConnectionOptions): Connection {
  const { limits, elapsed } = options
  const heads = createHeadReader()
  let phase: Phase = 'head'
  let unread: Buffer = NOTHING
  let scanned = 0 // bytes of `unread` known to hold no end of a head
  let begun: Omit<WireRequest, 'body'> | null = null
  let hasLongHead = false
  let isLast = false
  let hasEnded = false // the peer sends nothing more, but still reads
  let limitMs = limits.headMs
  let deadlineMs: number | null = null // the next look at the clock sets it

  /** Limits what is waited for now. The limit runs from the next look at the clock: most of it has come before that. */
  function allow(ms: number): void {
    limitMs = ms
    deadlineMs = null
  }

  function onData(chunk: Buffer): void {
    if (phase === 'closed') return
    if (phase === 'head' && unread.length === 0) allow(limits.headMs)
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk])
    if (phase !== 'answer') read()
    else if (unread.length > MAX_AHEAD_BYTES) socket.pause()
  }

  /** Reads and answers for as long as answers leave at once: a client that asks ahead must not deepen the stack. */
  function read(): void {
    while (phase === 'head' || phase === 'body') {
      if (phase === 'head' && !readHead()) return
      if (!readBody()) return
    }
  }

  /** Returns whether there is more to be read of this request. */
  function readHead(): boolean {
    const repeated = heads.readRepeated(unread)
    if (repeated !== null) return begin(repeated)
    const end = findEndOfHead(unread, Math.max(0, scanned - 3))
    const tooLong = judgeLength(end === -1 ? unread.length : end)
    if (tooLong !== null) return refuse(tooLong)
    if (end !== -1) return begin(heads.read(unread, end))
    if (isMalformed(unread.toString('latin1', startOfNews()))) return refuse(400)
    scanned = unread.length
    return false
  }

  function begin({ reading, bytes }: TakenHead): boolean {
    if (reading.kind === 'refused') return refuse(reading.status)
    const wire = options.judge(reading.head)
    if (!wire.ok) return refuse(wire.status)
    begun = { head: reading.head, url: wire.url }
    forget(bytes)
    scanned = 0
    phase = 'body'
    limitMs = limits.requestMs
    if (deadlineMs !== null) deadlineMs += limits.requestMs - limits.headMs
    return true
  }

  /** Only a search may be long, and only while few others are. */
  function judgeLength(bytes: number): RefusedStatus | null {
    if (bytes <= MAX_HEAD_BYTES) return null
    if (bytes > MAX_SEARCH_HEAD_BYTES || !isSearchHead(unread.toString('latin1', 0, SEARCH_PREFIX_BYTES)))
      return 431
    hasLongHead ||= options.longHeads.enter()
    return hasLongHead ? null : 503
  }

  function leaveLongHeads(): void {
    if (hasLongHead) options.longHeads.leave()
    hasLongHead = false
  }

  function forget(bytes: number): void {
    unread = bytes === unread.length ? NOTHING : unread.subarray(bytes)
  }

  /** A carriage return at the end of what was judged is judged again, with what follows it. */
  function startOfNews(): number {
    return scanned > 0 && unread[scanned - 1] === CARRIAGE_RETURN ? scanned - 1 : scanned
  }

  /** Returns whether the request is answered and another one may be waiting. */
  function readBody(): boolean {
    if (begun === null || unread.length < begun.head.bodyBytes) return false
    const { bodyBytes, keepAlive } = begun.head
    const body = bodyBytes === 0 ? null : new Uint8Array(unread.subarray(0, bodyBytes))
    forget(bodyBytes)
    const request = { ...begun, body }
    isLast ||= !keepAlive
    phase = 'answer'
    options.onWaiting(false)
    try {
      const answering = options.answer(request, isLast)
      if (answering === null) return isReadyForNext()
      socket.setTimeout(limits.silenceMs)
      answering.then(readNext, onFault)
    } catch (error) {
      onFault(error)
    }
    return false
  }

  function onFault(error: unknown): void {
    options.onProblem(error)
    close()
  }

  /** Whoever asks ahead and does not read is owed one answer at a time: the next request waits until this one has left. */
  function isReadyForNext(): boolean {
    if (phase === 'closed') return false
    if (socket.writableNeedDrain) {
      socket.setTimeout(limits.silenceMs)
      socket.once('drain', readNext)
      return false
    }
    if (isLast) {
      end()
      return false
    }
    phase = 'head'
    begun = null
    leaveLongHeads()
    allow(unread.length === 0 ? limits.idleMs : limits.headMs)
    if (socket.timeout) socket.setTimeout(0)
    options.onWaiting(true)
    if (socket.isPaused()) socket.resume()
    return unread.length > 0
  }

  function readNext(): void {
    if (isReadyForNext()) read()
    if (hasEnded) onEnd()
  }

  /** What is whole is answered; what is not never will be. */
  function onEnd(): void {
    hasEnded = true
    if (phase === 'head' && unread.length > 0) refuse(400)
    else if (phase === 'head' || phase === 'body') end()
  }

  function refuse(status: RefusedStatus): false {
    socket.write(options.refusal(status), 'latin1')
    end()
    return false
  }

  /** Ends our side; what still comes is dropped until the peer ends its own. */
  function end(): void {
    phase = 'closed'
    unread = NOTHING
    allow(Number.POSITIVE_INFINITY) // while the answer leaves, only silence ends it
    socket.setTimeout(limits.silenceMs)
    options.onWaiting(true)
    socket.end(() => allow(LINGER_MS))
    socket.resume()
  }

  function close(): void {
    phase = 'closed'
    unread = NOTHING
    socket.destroy()
  }

  readDirectly(socket, onData)
  socket.on('error', close) // a reset, most often; nobody is left to hear of it
  socket.on('end', onEnd)
  socket.once('close', leaveLongHeads)
  socket.on('timeout', close) // it runs only while an answer is made or leaves

  return {
    checkTime() {
      if (phase === 'answer') return
      deadlineMs ??= elapsed() + limitMs
      if (elapsed() < deadlineMs) return
      if (phase === 'closed' || (phase === 'head' && unread.length === 0)) close()
      else refuse(408)
    },
    finish() {
      isLast = true
      if (phase === 'head') close()
    },
  }
}
