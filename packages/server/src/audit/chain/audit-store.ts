import type { ChainHead } from './audit-chain.ts'
import type { AuditBatch } from './audit-queue.ts'

/** End of a chain when its store was opened. */
export interface ChainEnd {
  /** Of the last whole line. */
  readonly head: ChainHead
  /** Of the line before the first one that is kept. */
  readonly before: ChainHead
  /** The last whole line as text; '' when there is none. */
  readonly lastLine: string
  /** Bytes of a line cut short by a crash that were removed. */
  readonly cutBytes: number
}

/**
 * Storage of one chain of the audit trail. One process at a time writes a chain, which the opener guarantees. Several chains form a trail:
 * each sees the signed heads of all.
 */
export interface AuditStore {
  readonly end: ChainEnd
  /**
   * Appends whole lines or none, behind the line that the batch's first one names; resolves once they are durable. A retry gets the same
   * batch. Always rejects after foreign changes; with `LostEndError` after a loss that can be written again.
   */
  append(batch: AuditBatch): Promise<void>
  /**
   * Hands lines to the system without a sync, even while `append` hangs on them: they survive the process, not a power cut. Only for the
   * final exit. Absent where unsupported.
   */
  leave?(batch: AuditBatch): Promise<void>
  /** The newest signed head of each chain, as `signNote` made it. */
  readHeads(): Promise<readonly string[]>
  /** Keeps the signed head of this chain in place of the one before. */
  writeHead(signed: string): Promise<void>
  /**
   * The last line of what was finished before a moment and may be removed now; null when there is nothing. Not everything at
   * once: a clock that was wrong for a minute must not cost the whole trail.
   */
  findRemovable(beforeMs: number): Promise<ChainHead | null>
  /** Removes every line up to and including this one, after a signed head says so. */
  remove(upTo: ChainHead): Promise<void>
}

/** Consecutive lines of a chain. */
export interface AuditPart {
  /** Name of the location for messages: a file's name. */
  readonly place: string
  /** Number of the first of them in that place, from 1. */
  readonly firstLineNumber: number
  readonly lines: readonly string[]
  /** The last line lacks its end. */
  readonly isCutShort?: boolean
}

/** The trail as it is read: every chain, in parts, so that a year of it needs no more memory than a minute. */
export interface AuditSource {
  /** Sorted by name. */
  listChains(): Promise<readonly string[]>
  readHeads(): Promise<readonly string[]>
  /** Signed notes of removals by others than the chain's writer, from `signNote`: the end in them is no end of the chain. */
  readRemovals(): Promise<readonly string[]>
  /** Reads a chain from its first line, or from somewhere at or before line `fromSeq`. */
  read(chain: string, fromSeq?: number): AsyncIterable<AuditPart>
}
