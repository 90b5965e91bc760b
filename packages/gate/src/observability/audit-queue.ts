import { type ChainHead, maxLineBytes, writeLine } from './audit-chain.ts'
import { isoTime } from './iso-time.ts'

/** Whole lines of one month, in the order they were recorded. */
export interface AuditBatch {
  /** `2026-11`, in UTC. */
  readonly month: string
  readonly bytes: Uint8Array
  /** Of its last line. */
  readonly head: ChainHead
}

/** Lines that wait for the disk. */
export interface AuditQueue {
  /** Chains a record, the members of its JSON object, to the line before it. */
  add(atMs: number, members: string): void
  /** The batch to be written next, which gets no more lines; null when none waits. The same one until it is dropped. */
  first(): AuditBatch | null
  /** Forgets the first batch, because it is on disk. */
  drop(): void
  /** How many lines wait, and in how many batches. */
  readonly size: number
  readonly batches: number
}

interface Batch {
  readonly month: string
  bytes: Buffer
  used: number
  lines: number
  head: ChainHead
  isClosed: boolean
}

const FIRST_BYTES = 64 * 1024
/** Memory up to this size is used again. */
const MAX_SPARE_BYTES = 1024 * 1024

/**
 * Spells each line at once into memory outside the heap: as strings they would outlive the young generation while
 * they wait, and be copied by the collector (decisions/025).
 */
export function createAuditQueue(start: ChainHead): AuditQueue {
  const batches: Batch[] = []
  let head = start
  let size = 0
  let spare: Buffer | null = null

  function batchFor(month: string): Batch {
    const last = batches.at(-1)
    if (last !== undefined && !last.isClosed && last.month === month) return last
    const bytes = spare ?? Buffer.allocUnsafeSlow(FIRST_BYTES)
    spare = null
    const batch = { month, bytes, used: 0, lines: 0, head, isClosed: false }
    batches.push(batch)
    return batch
  }

  return {
    add(atMs, members) {
      const batch = batchFor(isoTime(atMs).slice(0, 7))
      makeRoom(batch, maxLineBytes(members))
      const line = writeLine(head, members, batch.bytes, batch.used)
      head = line.head
      batch.used = line.end
      batch.head = line.head
      batch.lines += 1
      size += 1
    },
    first() {
      const [batch] = batches
      if (batch === undefined) return null
      batch.isClosed = true
      return { month: batch.month, bytes: batch.bytes.subarray(0, batch.used), head: batch.head }
    },
    drop() {
      const batch = batches.shift()
      if (batch === undefined) return
      size -= batch.lines
      if (batch.bytes.length <= MAX_SPARE_BYTES) spare = batch.bytes
    },
    get size() {
      return size
    },
    get batches() {
      return batches.length
    },
  }
}

function makeRoom(batch: Batch, wanted: number): void {
  if (batch.used + wanted <= batch.bytes.length) return
  const bytes = Buffer.allocUnsafeSlow(Math.max(batch.bytes.length * 2, batch.used + wanted))
  batch.bytes.copy(bytes, 0, 0, batch.used)
  batch.bytes = bytes
}
