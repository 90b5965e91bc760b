import { isoTime } from '../../storage/lines/iso-time.ts'
import type { ChainHead } from '../chain/audit-chain.ts'
import { type AuditBatch, type AuditRecord, createAuditQueue } from '../chain/audit-queue.ts'
import type { AuditStore } from '../chain/audit-store.ts'
import { markAgain } from '../chain/rewritten-lines.ts'
import { createDeferredResponses, MAX_DEFERRED_MS, unwritable } from './deferred-responses.ts'
import type { HeadSigner } from './head-signer.ts'
import { LostEndError, type LostLines } from './lost-end.ts'

/** Health of the trail; for health checks and metrics. */
export interface AuditHealth {
  /**
   * `restored`: lines were lost within the last hour, and written again; `holding`: the disk is slow, and responses wait for their lines;
   * `failing`: it refused what was written last; `closed`: what is recorded does not reach the disk, so nothing more is given to readers.
   */
  readonly state: 'ok' | 'restored' | 'holding' | 'failing' | 'closed'
  /** Lines that are not on the disk yet. */
  readonly waiting: number
  /** Age of the oldest of them; 0 when none waits. */
  readonly lagMs: number
  /** Responses that are held back until their line is written. */
  readonly held: number
  /** Lines that were lost where they were kept, and written again. */
  readonly restored: number
}

/** Brings lines to the disk in their order, and holds responses back where that takes long. */
interface TrailWriter {
  /** Puts a line behind those that wait; it is written once {@link writeSoon} or {@link writeNow} is called. Throws `UnavailableError` once too many wait. */
  add(line: AuditRecord): void
  /** With others that come within 50 ms. */
  writeSoon(): void
  writeNow(): void
  /** True while readers must not get content. */
  isShut(): boolean
  /** Resolves when every line so far is on the disk; rejects with `UnavailableError` when that takes too long. */
  hold(): Promise<void>
  /** The same while lines wait longer than they should; else null. Throws while it is shut. */
  defer(): Promise<void> | null
  /** Resolves when every line so far is on the disk, or could not be written. */
  flush(): Promise<void>
  /** Of the last line on disk. */
  head(): ChainHead
  health(): AuditHealth
  /** Tells if the queue has room for a last line. */
  hasRoom(): boolean
  /** Takes no further line, and gives what waits, if anything does. */
  end(): AuditBatch | null
  /** Lines that gather are not written by themselves any more. */
  rest(): void
}

interface TrailWriterOptions {
  readonly store: Pick<AuditStore, 'append' | 'end'>
  readonly signer: HeadSigner
  readonly now: () => number
  readonly elapsed: () => number
  readonly onFailure: (error: unknown) => void
  readonly onRestored: (lost: LostLines) => void
}

/** Lines that memory holds for a disk that does not take them. */
const MAX_WAITING = 10_000
/** Time for which readings gather into one sync: they are still durable 200 ms after the response, also behind a running sync. */
const GATHER_MS = 50
/** While a line has waited longer than this, a response leaves once its own line is written. */
const HOLD_AFTER_MS = 2_000
/** So many responses are held back; a line that waited longer than each of them may closes the gate until it is written. */
const MAX_HELD = 2_000
const RETRY_MS = 250
/** For so long health says that lines were lost. */
const SAY_RESTORED_MS = 3_600_000

export function createTrailWriter(options: TrailWriterOptions): TrailWriter {
  const { store, signer, now, elapsed, onFailure, onRestored } = options
  const waiting = createAuditQueue(store.end.head)
  const held = createDeferredResponses()
  let head = store.end.head
  let recorded = 0 // since the start, and how many of them are on the disk
  let stored = 0
  let oldestMs: number | null = null // when the first line was recorded that is not being written
  let writingSinceMs: number | null = null // the same for what is being written
  let writing: Promise<void> | null = null
  let gathering: NodeJS.Timeout | null = null
  let isFailing = false
  let isClosed = false
  let restoring: LostLines | null = null
  let restored = { lines: 0, atMs: Number.NEGATIVE_INFINITY }

  function lagMs(): number {
    const sinceMs = writingSinceMs ?? oldestMs
    return sinceMs === null ? 0 : elapsed() - sinceMs
  }
  const isShut = () =>
    isClosed || lagMs() > MAX_DEFERRED_MS || waiting.size >= MAX_WAITING || held.size >= MAX_HELD

  function stateNow(): AuditHealth['state'] {
    if (isShut()) return 'closed'
    if (isFailing) return 'failing'
    if (lagMs() > HOLD_AFTER_MS) return 'holding'
    return elapsed() - restored.atMs < SAY_RESTORED_MS ? 'restored' : 'ok'
  }

  /** Lines gather while others are written, and then for the rest of their time. */
  function writeSoon(): void {
    if (writing !== null || gathering !== null) return
    gathering = setTimeout(writeNow, isFailing ? RETRY_MS : GATHER_MS)
    if (isFailing) gathering.unref()
  }
  function writeNow(): void {
    if (gathering !== null) clearTimeout(gathering)
    gathering = null
    writing ??= write()
  }
  async function write(): Promise<void> {
    try {
      do await writeFirst()
      while (held.size > 0 && !isClosed)
      isFailing = false
    } catch (error) {
      if (!isFailing) onFailure(error)
      isFailing = true
    } finally {
      writing = null // in the same moment as the last look at who waits
      if (waiting.size > 0 && !isClosed) writeSoon()
    }
  }
  async function writeFirst(): Promise<void> {
    const batch = waiting.first()
    if (batch === null) return
    if (writingSinceMs === null) {
      writingSinceMs = oldestMs
      oldestMs = null
    }
    try {
      await store.append(batch)
    } catch (error) {
      if (!(error instanceof LostEndError)) throw error
      continueBehind(error)
      return writeFirst()
    }
    stored = waiting.drop()
    writingSinceMs = null
    head = batch.head
    held.release(stored)
    sayRestored()
    if (!isClosed) signer.signSoon()
  }

  /** Writes lost lines again behind the rest, each with its number, and then the waiting ones. */
  function continueBehind({ end, lost }: LostEndError): void {
    const at = isoTime(now())
    restoring = { from: end.seq + 1, through: head.seq }
    const missing = { at, event: 'lines_missing', ...restoring, head: head.hash, rewritten: lost.length }
    waiting.continueFrom(end, [missing, ...lost.map(markAgain)])
    signer.outdate()
  }
  function sayRestored(): void {
    if (restoring === null) return
    const lost = restoring
    restoring = null
    restored = { lines: restored.lines + lost.through - lost.from + 1, atMs: elapsed() }
    onRestored(lost)
    void signer.sign() // what was signed last may be one of the lost
  }

  async function flush(): Promise<void> {
    const upTo = recorded
    while (writing !== null) await writing
    while (stored < upTo && !isClosed) {
      writeNow()
      await writing
      if (isFailing) return
    }
  }

  return {
    add(line) {
      if (isClosed || waiting.size >= MAX_WAITING) throw unwritable()
      recorded = waiting.add(line)
      oldestMs ??= elapsed()
    },
    writeSoon,
    writeNow,
    isShut,
    hold: () => held.hold(recorded),
    defer() {
      if (isShut()) throw unwritable()
      return lagMs() > HOLD_AFTER_MS ? held.hold(recorded) : null
    },
    flush,
    head: () => head,
    health() {
      return {
        state: stateNow(),
        waiting: waiting.size,
        lagMs: lagMs(),
        held: held.size,
        restored: restored.lines,
      }
    },
    hasRoom: () => waiting.size < MAX_WAITING,
    end() {
      isClosed = true
      return waiting.all()
    },
    rest() {
      if (gathering !== null) clearTimeout(gathering)
    },
  }
}
