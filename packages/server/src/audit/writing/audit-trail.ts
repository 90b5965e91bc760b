import { isoTime } from '../../storage/lines/iso-time.ts'
import type { ChainHead } from '../chain/audit-chain.ts'
import type { AuditEvent, AuditFields, Reading, SimpleEvent } from '../chain/audit-event.ts'
import { type AuditKey, type ChainNote, readNote, signNote } from '../chain/audit-key.ts'
import type { AuditStore } from '../chain/audit-store.ts'
import { unwritable } from './deferred-responses.ts'
import { createHeadSigner } from './head-signer.ts'
import { type LostLines, missingLines } from './lost-end.ts'
import { type AuditHealth, createTrailWriter } from './trail-writer.ts'

/** The append-only record of who was let in and what they read. */
export interface AuditTrail {
  /** On the disk within 200 ms. Throws `UnavailableError` once more waits than memory should hold. */
  record(event: SimpleEvent, fields: AuditFields): void
  /**
   * Null where the response may leave at once, because its line will be durable within 200 ms. If the oldest line has waited two seconds, a
   * promise of durability to wait for. Throws or rejects with `UnavailableError` while the trail is closed.
   */
  recordReading(reading: Reading): Promise<void> | null
  /** The same for a response that belongs to a reading with a line already. */
  defer(): Promise<void> | null
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
  const { chain, store, key, now, onFailure, onRecord = () => {}, onRestored = () => {} } = options
  const { elapsed = () => performance.now() } = options
  const noted = new Map<string, number>() // chain to the last line noted
  let removed = notes.find((note) => note.chain === chain)?.removed ?? store.end.before

  const signer = createHeadSigner({
    store,
    key,
    onFailure,
    noteNow: () => ({ chain, head: writer.head(), removed, at: isoTime(now()) }),
  })
  const writer = createTrailWriter({
    store,
    signer,
    now,
    elapsed,
    onFailure,
    onRestored(lost) {
      onRecord('lines_missing')
      onRestored(lost)
    },
  })

  function add(event: AuditEvent, fields: AuditFields): void {
    writer.add({ at: isoTime(now()), event, ...fields })
    onRecord(event)
  }
  function record(event: SimpleEvent, fields: AuditFields): void {
    add(event, fields)
    writer.writeSoon()
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
    await writer.flush()
    removed = last
    signer.outdate()
    if (await signer.sign()) await store.remove(last)
  }

  return {
    record,
    recordReading({ event, reader: { email, issuer, sub, id }, path, release, request, more }) {
      if (writer.isShut()) throw unwritable()
      add(event, { email, issuer, sub, session: id, path, release, request, ...more })
      writer.writeSoon()
      return writer.defer()
    },
    defer: writer.defer,
    async recordDurably(event, fields) {
      if (writer.isShut()) throw unwritable()
      add(event, fields)
      writer.writeNow()
      await writer.hold()
    },
    flush: writer.flush,
    head: writer.head,
    health: writer.health,
    async tend(keepMs) {
      await noteOthers()
      await removeOld(keepMs)
    },
    async close() {
      if (writer.hasRoom()) record('gate_stopped', {})
      await writer.flush()
      writer.end()
      writer.rest()
      await signer.sign()
    },
    async leave() {
      const batch = writer.end()
      if (batch !== null) await store.leave?.(batch)
      return batch === null || store.leave !== undefined
    },
  }
}
