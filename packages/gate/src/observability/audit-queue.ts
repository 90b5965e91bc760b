import { type ChainHead, chainLine } from './audit-chain.ts'

/** What happened, and when: ISO 8601 in UTC. */
export type AuditRecord = { readonly at: string } & Readonly<Record<string, unknown>>

/** Whole lines of one month, in the order they were recorded. */
export interface AuditBatch {
  /** `2026-11`, in UTC. */
  readonly month: string
  readonly lines: readonly string[]
  /** Of its last line. */
  readonly head: ChainHead
}

/** Lines that wait for the disk. */
export interface AuditQueue {
  /** Chains a record to the line before it. */
  add(record: AuditRecord): void
  /** The batch to be written next, which gets no more lines; null when none waits. The same one until it is dropped. */
  first(): AuditBatch | null
  /** Forgets the first batch, because it is on disk. */
  drop(): void
  /** How many lines wait, and in how many batches. */
  readonly size: number
  readonly batches: number
}

/** Gathers lines in batches of one month each, chained as they are recorded. */
export function createAuditQueue(start: ChainHead): AuditQueue {
  const batches: { readonly month: string; readonly lines: string[]; head: ChainHead; isClosed: boolean }[] =
    []
  let head = start
  let size = 0

  return {
    add(record) {
      const month = record.at.slice(0, 7)
      const chained = chainLine(head, record)
      head = chained.head
      let batch = batches.at(-1)
      if (batch === undefined || batch.isClosed || batch.month !== month) {
        batch = { month, lines: [], head, isClosed: false }
        batches.push(batch)
      }
      batch.lines.push(chained.line)
      batch.head = head
      size += 1
    },
    first() {
      const batch = batches[0] ?? null
      if (batch !== null) batch.isClosed = true
      return batch
    },
    drop() {
      size -= batches.shift()?.lines.length ?? 0
    },
    get size() {
      return size
    },
    get batches() {
      return batches.length
    },
  }
}
