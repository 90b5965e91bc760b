import { type ChainHead, chainLine, recordOf } from './audit-chain.ts'

/** Event with its time: ISO 8601 in UTC. */
export type AuditRecord = { readonly at: string } & Readonly<Record<string, unknown>>

/** Whole lines of one chain, in the order they were recorded. */
export interface AuditBatch {
  readonly lines: readonly string[]
  /** Of its last line. */
  readonly head: ChainHead
}

/** Lines that wait for the disk. */
interface AuditQueue {
  /** Chains a record to the line before it; returns how many were added so far. */
  add(record: AuditRecord): number
  /** The next batch to write, closed for further lines; null when none waits. The same batch until it is dropped. */
  first(): AuditBatch | null
  /** Everything that waits, what is being written first; null when nothing does. */
  all(): AuditBatch | null
  /** Forgets the first batch, because it is on disk; returns how many of those that were added are there now. */
  drop(): number
  /** Chains whatever waits anew: behind a line where a store lost its end, and behind what is written there first. */
  continueFrom(end: ChainHead, before: readonly AuditRecord[]): void
  /** Number of waiting lines. */
  readonly size: number
}

/** Gathers lines, chained as they are recorded, so that writing a batch of thousands does not hash them all at once. */
export function createAuditQueue(start: ChainHead): AuditQueue {
  let head = start
  let writing: (AuditBatch & { readonly added: number }) | null = null
  let lines: string[] = []
  let added = 0
  /** Lines at the beginning without a caller. */
  let before = 0

  function push(record: AuditRecord): void {
    const chained = chainLine(head, record)
    head = chained.head
    lines.push(chained.line)
  }

  return {
    add(record) {
      push(record)
      added += 1
      return added
    },
    first() {
      if (writing === null && lines.length > 0) {
        writing = { lines, head, added }
        lines = []
      }
      return writing
    },
    all() {
      const all = [...(writing?.lines ?? []), ...lines]
      return all.length === 0 ? null : { lines: all, head }
    },
    drop() {
      const through = writing?.added ?? 0
      writing = null
      before = 0
      return through
    },
    continueFrom(end, records) {
      const waiting = [...(writing?.lines ?? []), ...lines].slice(before)
      head = end
      writing = null
      lines = []
      before = records.length
      for (const record of records) push(record)
      for (const line of waiting) push(recordOf(line))
    },
    get size() {
      return lines.length + (writing?.lines.length ?? 0)
    },
  }
}
