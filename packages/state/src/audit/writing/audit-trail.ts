import { isoTime } from '../../lines/iso-time.ts'
import type { ChainHead } from '../chain/audit-chain.ts'
import type { AuditEvent, AuditFields, Reading, SimpleEvent } from '../chain/audit-event.ts'
import { type AuditKey, type ChainNote, readNote, signNote } from '../chain/audit-key.ts'
import { createAuditQueue } from '../chain/audit-queue.ts'
import type { AuditStore } from '../chain/audit-store.ts'
import { markAgain } from '../chain/rewritten-lines.ts'
import { createHeadSigner } from './head-signer.ts'
import { createHeldResponses, MAX_HELD_MS, unwritable } from './held-responses.ts'
import { LostEndError, type LostLines, missingLines } from './lost-end.ts'

/** How the trail fares; for health and metrics. */
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

/** The append-only record of who was let in and what they read. */
export interface AuditTrail {
  /** On the disk within 200 ms. Throws `UnavailableError` once more waits than memory should hold. */
  record(event: SimpleEvent, fields: AuditFields): void
  /**
   * Null where the response may leave at once, because its line will be on the disk within 200 ms. While the oldest line has waited
   * longer than two seconds, a promise that the response has to wait for: its line is on the disk then. Throws `UnavailableError`,
   * or rejects with it, while the trail is closed: nobody reads without a record.
   */
  recordReading(reading: Reading): Promise<void> | null
  /** The same for a response that belongs to a reading with a line already. */
  holdBack(): Promise<void> | null
  /**
   * Resolves when the line is on the disk and would survive a power cut. Rejects with `UnavailableError` while the trail is closed
   * or when that takes longer than fifteen seconds; the line may be written nevertheless.
   */
  recordDurably(event: SimpleEvent, fields: AuditFields): Promise<void>
  /** Resolves when everything recorded so far is on the disk, or could not be written. */
  flush(): Promise<void>
  /** The last line on disk: noted elsewhere, it shows later whether lines were cut from the end. */
  head(): ChainHead
  health(): AuditHealth
  /** Notes where the other chains of the trail end and removes what is older than it must be kept; once an hour. */
  tend(keepMs: number): Promise<void>
  /** Writes what waits and the line that says that this end was meant, and signs the head. Nothing is recorded afterwards. */
  close(): Promise<void>
  /**
   * For a process that ends and waits no longer for the disk: hands what waits to the system. Nothing is recorded afterwards. Resolves to
   * whether every line is there; rejects where the system does not take them.
   */
  leave(): Promise<boolean>
}

export interface AuditOptions {
  /** Name of the chain, as in file names: lower-case letters, digits and hyphens. */
  readonly chain: string
  readonly store: AuditStore
  readonly key: AuditKey
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed?: () => number
  /** Told of the first failure of a row of them. */
  readonly onFailure: (error: unknown) => void
  /** Told of every event, to count it. */
  readonly onRecord?: (event: AuditEvent) => void
  /** Told of lines that were lost where they were kept, once they are there again. */
  readonly onRestored?: (lost: LostLines) => void
}

/** Lines that memory holds for a disk that does not take them. */
const MAX_WAITING = 10_000
/** How long readings gather: one sync for all of them, and still on the disk 200 ms after the answer, also behind a sync under way. */
const GATHER_MS = 50
/** While a line has waited longer than this, a response leaves once its own line is written. */
const HOLD_AFTER_MS = 2_000
/** So many responses are held back; a line that waited longer than each of them may closes the gate until it is written. */
const MAX_HELD = 2_000
const RETRY_MS = 250
/** For so long health says that lines were lost. */
const SAY_RESTORED_MS = 3_600_000

/** Opens a chain of the trail and continues it; says so in its first lines when it finds another end than was meant. */
export async function openAuditTrail(options: AuditOptions): Promise<AuditTrail> {
  const { chain, store, key } = options
  const notes = (await store.readHeads()).flatMap((text) => readNote(text, key.publicKey) ?? [])
  const trail = createAuditTrail(options, notes)
  const { end } = store
  const own = notes.find((note) => note.chain === chain)
  if (own === undefined) {
    await store.writeHead(
      signNote({ chain, head: end.head, removed: end.before, at: isoTime(options.now()) }, key),
    )
    if (end.head.seq > 0) trail.record('unsigned_trail_continued', { through: end.head.seq })
  } else if (own.head.seq > end.head.seq) trail.record('lines_missing', missingLines(end, own))
  if (end.head.seq > 0 && !end.lastLine.includes('"event":"gate_stopped"'))
    trail.record('restarted_uncleanly', { lastLine: end.head.seq, cutBytes: end.cutBytes })
  return trail
}

function createAuditTrail(options: AuditOptions, notes: readonly ChainNote[]): AuditTrail {
  const {
    chain,
    store,
    key,
    now,
    onFailure,
    onRecord = () => {},
    onRestored = () => {},
    elapsed = () => performance.now(),
  } = options
  const waiting = createAuditQueue(store.end.head)
  const held = createHeldResponses()
  const noted = new Map<string, number>() // chain to the last line noted
  let head = store.end.head
  let recorded = 0 // since the start, and how many of them are on the disk
  let stored = 0
  let removed = notes.find((note) => note.chain === chain)?.removed ?? store.end.before
  let oldestMs: number | null = null // when the first line was recorded that is not being written
  let writingSinceMs: number | null = null // the same for what is being written
  let writing: Promise<void> | null = null
  let gathering: NodeJS.Timeout | null = null
  let isFailing = false
  let isClosed = false
  let restoring: LostLines | null = null
  let restored = { lines: 0, atMs: Number.NEGATIVE_INFINITY }

  const signer = createHeadSigner({
    ...{ store, key, onFailure },
    noteNow: () => ({ chain, head, removed, at: isoTime(now()) }),
  })

  function lagMs(): number {
    const sinceMs = writingSinceMs ?? oldestMs
    return sinceMs === null ? 0 : elapsed() - sinceMs
  }
  const isShut = () =>
    isClosed || lagMs() > MAX_HELD_MS || waiting.size >= MAX_WAITING || held.size >= MAX_HELD

  function add(event: AuditEvent, fields: AuditFields): void {
    if (isClosed || waiting.size >= MAX_WAITING) throw unwritable()
    recorded = waiting.add({ at: isoTime(now()), event, ...fields })
    oldestMs ??= elapsed()
    onRecord(event)
  }

  function stateNow(): AuditHealth['state'] {
    if (isShut()) return 'closed'
    if (isFailing) return 'failing'
    if (lagMs() > HOLD_AFTER_MS) return 'holding'
    return elapsed() - restored.atMs < SAY_RESTORED_MS ? 'restored' : 'ok'
  }

  /** Lines gather while others are written, and then for the rest of their time. */
  function writeSoon(): void {
    if (writing !== null || gathering !== null) return
    gathering = setTimeout(startWriting, isFailing ? RETRY_MS : GATHER_MS)
    if (isFailing) gathering.unref()
  }
  function startWriting(): void {
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

  /** What was lost is written again behind what is left, each line with the number that it had, and then whatever waits. */
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
    onRecord('lines_missing')
    onRestored(lost)
    void signer.sign() // what was signed last may be one of the lost
  }

  async function flush(): Promise<void> {
    const upTo = recorded
    while (writing !== null) await writing
    while (stored < upTo && !isClosed) {
      startWriting()
      await writing
      if (isFailing) return
    }
  }

  function record(event: SimpleEvent, fields: AuditFields): void {
    add(event, fields)
    writeSoon()
  }
  function holdBack(): Promise<void> | null {
    if (isShut()) throw unwritable()
    return lagMs() > HOLD_AFTER_MS ? held.hold(recorded) : null
  }

  async function noteOthers(): Promise<void> {
    for (const text of await store.readHeads()) {
      const note = readNote(text, key.publicKey)
      if (note === null || note.chain === chain || noted.get(note.chain) === note.head.seq) continue
      noted.set(note.chain, note.head.seq)
      record('head_noted', { chain: note.chain, line: note.head.seq, head: note.head.hash })
    }
  }

  async function removeOld(keepMs: number): Promise<void> {
    const last = await store.findRemovable(now() - keepMs)
    if (last === null) return
    record('lines_removed', { through: last.seq, head: last.hash })
    await flush()
    removed = last
    signer.outdate()
    if (await signer.sign()) await store.remove(last)
  }

  return {
    record,
    recordReading({ event, reader: { email, sub, id }, path, release, request, more }) {
      if (isShut()) throw unwritable()
      add(event, { email, sub, session: id, path, release, request, ...more })
      writeSoon()
      return holdBack()
    },
    holdBack,
    async recordDurably(event, fields) {
      if (isShut()) throw unwritable()
      add(event, fields)
      startWriting()
      await held.hold(recorded)
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
    async tend(keepMs) {
      await noteOthers()
      await removeOld(keepMs)
    },
    async close() {
      if (waiting.size < MAX_WAITING) record('gate_stopped', {})
      await flush()
      isClosed = true
      if (gathering !== null) clearTimeout(gathering)
      await signer.sign()
    },
    async leave() {
      isClosed = true
      const batch = waiting.all()
      if (batch !== null) await store.leave?.(batch)
      return batch === null || store.leave !== undefined
    },
  }
}
