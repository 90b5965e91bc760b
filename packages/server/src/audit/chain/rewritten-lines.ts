import type { Message } from '@sekisho/contract/language'
import { trailOf } from '../../storage/texts/index.ts'
import { type ChainHead, chainLine, recordOf } from './audit-chain.ts'
import type { AuditRecord } from './audit-queue.ts'

/** The record of a line that was lost and is written again: as it was, with the number that it had behind those from earlier losses. */
export function markAgain(line: string): AuditRecord {
  const seq = Number(/^\{"seq":(\d+),/.exec(line)?.[1])
  const { again, ...record } = recordOf(line)
  return { ...record, again: [...(Array.isArray(again) ? again : []), seq] }
}

/**
 * Lines lost and written again behind `lines_missing`, which records the end of the lost ones. Verification rebuilds each with its number
 * and hash: they are complete and unaltered if the last has the recorded hash.
 */
interface RewrittenLines {
  /** Takes the next line of the chain, and the one before it; returns what is wrong with it, or null. */
  take(line: string, before: ChainHead): Message | null
  /** Problem at the end of the chain, or null. */
  findUnfinished(): Message | null
  /** The number that the line with that hash had before it was lost and written again; undefined for any other line. */
  seqOf(hash: string): number | undefined
  readonly count: number
}

interface Loss {
  /** Of the lost lines, as far as they were written again. */
  head: ChainHead
  left: number
  readonly through: number
  readonly hash: string
}

export function followRewritten(): RewrittenLines {
  const found = new Map<string, number>() // hash to number
  let loss: Loss | null = null
  /** Earlier losses recorded in the lost lines. */
  let earlier: RewrittenLines | null = null

  function takeAgain(record: AuditRecord, again: readonly unknown[]): Message | null {
    if (loss === null) return trailOf('rewrite_unannounced')
    const { again: _again, ...rest } = record
    const marks = again.slice(0, -1)
    const before = loss.head
    const lost = chainLine(before, marks.length === 0 ? rest : { ...rest, again: marks })
    earlier ??= followRewritten()
    const problem = earlier.take(lost.line, before)
    loss.head = lost.head
    loss.left -= 1
    found.set(lost.head.hash, lost.head.seq)
    if (loss.left > 0) return problem
    const isWhole = loss.head.seq === loss.through && loss.head.hash === loss.hash
    loss = null
    return isWhole ? problem : NOT_WHOLE
  }

  return {
    take(line, before) {
      const isMissing = line.includes('"event":"lines_missing"')
      if (loss === null && !isMissing && !line.includes('"again":[')) return null
      const record = recordOf(line)
      if (Array.isArray(record.again)) return takeAgain(record, record.again)
      if (loss !== null) return NOT_WHOLE
      if (!isMissing || record.event !== 'lines_missing') return null
      const { rewritten, through, head } = record
      if (typeof rewritten !== 'number' || rewritten < 1) return MISSING
      loss = { head: before, left: rewritten, through: Number(through), hash: String(head) }
      return null
    },
    findUnfinished: () => (loss === null ? (earlier?.findUnfinished() ?? null) : NOT_WHOLE),
    seqOf: (hash) => found.get(hash),
    get count() {
      return found.size
    },
  }
}

const MISSING = trailOf('missing_at_start')
const NOT_WHOLE = trailOf('not_whole')
