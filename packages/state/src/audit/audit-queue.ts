import { type ChainHead, chainLine } from './audit-chain.ts'

/** What happened, and when: ISO 8601 in UTC. */
export type AuditRecord = { readonly at: string } & Readonly<Record<string, unknown>>

/** Whole lines of one chain, in the order they were recorded. */
export interface AuditBatch {
  readonly lines: readonly string[]
  /** Of its last line. */
  readonly head: ChainHead
}

/** Lines that wait for the disk. */
export interface AuditQueue {
  /** Chains a record to the line before it and returns its number. */
  add(record: AuditRecord): number
  /** What is to be written next, which gets no more lines; null when nothing waits. The same batch until it is dropped. */
  first(): AuditBatch | null
  /** Forgets the first batch, because it is on disk. */
  drop(): void
  /** How many lines wait. */
  readonly size: number
}

/** Gathers lines, chained as they are recorded, so that writing a batch of thousands does not hash them all at once. */
export function createAuditQueue(start: ChainHead): AuditQueue {
  let head = start
  let writing: AuditBatch | null = null
  let lines: string[] = []

  return {
    add(record) {
      const chained = chainLine(head, record)
      head = chained.head
      lines.push(chained.line)
      return head.seq
    },
    first() {
      if (writing === null && lines.length > 0) {
        writing = { lines, head }
        lines = []
      }
      return writing
    },
    drop() {
      writing = null
    },
    get size() {
      return lines.length + (writing?.lines.length ?? 0)
    },
  }
}
