import { type ChainHead, readLink } from '../chain/audit-chain.ts'
import type { AuditFields } from '../chain/audit-event.ts'
import type { ChainNote } from '../chain/audit-key.ts'
import type { AuditBatch } from '../chain/audit-queue.ts'
import type { ChainEnd } from '../chain/audit-store.ts'

/** Lines that a store had taken and then had no more, by the numbers they had. */
export interface LostLines {
  readonly from: number
  readonly through: number
}

/** Fields of a line on lines that a signed head covers and the store lacks. */
export function missingLines({ head }: ChainEnd, note: ChainNote): AuditFields {
  return { from: head.seq + 1, through: note.head.seq, head: note.head.hash }
}

/** A store lost the end of its chain, which its writer still has: it continues from `end`, and writes `lost` again. */
export class LostEndError extends Error {
  override readonly name = 'LostEndError'
  readonly code = 'audit_end_lost'
  /** The last line that is kept. */
  readonly end: ChainHead
  /** Every line that was behind it. */
  readonly lost: readonly string[]

  constructor(message: string, end: ChainHead, lost: readonly string[]) {
    super(message)
    this.end = end
    this.lost = lost
  }
}

/** The newest lines of a chain as they were written. */
interface WrittenLines {
  /** Lines that stand behind those before, or in the place of lines that were lost. */
  add(batch: AuditBatch): void
  /** Lines written behind a line; null unless that line is one of these, by number and hash. */
  findBehind(end: ChainHead): readonly string[] | null
}

/** Retention of written lines; a standby that is further behind is not promoted. */
const KEPT_MS = 600_000
const MAX_KEPT = 10_000

/** Remembers the lines of ten minutes, ten thousand at most, behind those that a chain ended with when it was opened. */
export function rememberLines(start: AuditBatch, elapsed: () => number): WrittenLines {
  const kept: { readonly line: string; readonly atMs: number }[] = []
  let firstSeq = 1

  function add(batch: AuditBatch): void {
    const beginsAt = batch.head.seq - batch.lines.length + 1
    if (kept.length === 0) firstSeq = beginsAt
    kept.length = beginsAt - firstSeq
    const atMs = elapsed()
    kept.push(...batch.lines.map((line) => ({ line, atMs })))
    const fresh = kept.findIndex((one) => atMs - one.atMs <= KEPT_MS)
    const old = Math.max(fresh, kept.length - MAX_KEPT)
    firstSeq += kept.splice(0, old).length
  }
  add(start)

  return {
    add,
    findBehind(end) {
      const at = end.seq - firstSeq // of the line that is kept, or -1 for the one before all of these
      const link = readLink(kept[Math.max(at, 0)]?.line.trimEnd() ?? '')
      const hash = at === -1 ? link?.prev : link?.hash
      return at >= -1 && hash === end.hash ? kept.slice(at + 1).map(({ line }) => line) : null
    },
  }
}
