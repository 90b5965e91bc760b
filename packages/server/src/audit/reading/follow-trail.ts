import { CHAIN_START, type ChainHead, readLink } from '../chain/audit-chain.ts'
import type { AuditSource } from '../chain/audit-store.ts'

/** The last line of each chain that an output accepted. */
export type FollowPosition = ReadonlyMap<string, ChainHead>

/** An irregularity in a followed trail: lines removed unread, others in their place since, or a line whose hash does not fit. */
export type FollowNotice = 'gap' | 'rewritten' | 'altered'

/** Consecutive lines of one chain for the output; the position moves to `head` once it has them. */
export interface FollowedLines {
  readonly chain: string
  /** JSON objects, each the trail's line with its chain as the first member; notices between them, marked `follow`. */
  readonly lines: readonly string[]
  readonly notices: readonly FollowNotice[]
  readonly head: ChainHead
}

/**
 * Reads the lines behind a position, of every chain to its present end, some hundreds of KB at a time. Delivers at least once: a chain that
 * changed at the position is read again from its start. `isFirst` allows chains to begin behind line 1.
 */
export async function* readFollowing(
  source: AuditSource,
  position: FollowPosition,
  isFirst: boolean,
): AsyncGenerator<FollowedLines> {
  for (const chain of await source.listChains()) {
    const known = position.get(chain) ?? null
    yield* readChain(source, chain, known, known === null && isFirst)
  }
}

/** Reads behind `from`; from the first line where that is null, which `mayBegin` lets be any. */
async function* readChain(
  source: AuditSource,
  chain: string,
  from: ChainHead | null,
  mayBegin: boolean,
  isRewritten = false,
): AsyncGenerator<FollowedLines> {
  let head = from ?? CHAIN_START
  let isBegun = !mayBegin
  let unsaid: FollowNotice | null = isRewritten ? 'rewritten' : null
  for await (const { lines, isCutShort } of source.read(chain, head.seq)) {
    const followed: string[] = []
    const notices: FollowNotice[] = []
    for (const line of isCutShort === true ? lines.slice(0, -1) : lines) {
      const seq = seqOf(line)
      const isOther = head === from && from.hash !== '' && isOtherLine(line, seq, from)
      if (isOther) {
        yield* readChain(source, chain, null, true, true)
        return
      }
      if (seq <= head.seq) continue
      const link = readLink(line)
      const isGap = seq > head.seq + 1
      const isAltered = link === null || (!isGap && head.hash !== '' && link.prev !== head.hash)
      const found = isAltered ? 'altered' : isGap && isBegun ? 'gap' : null
      const notice = unsaid ?? found
      if (notice !== null) {
        notices.push(notice)
        followed.push(JSON.stringify({ chain, follow: notice, after: head.seq, next: seq }))
      }
      unsaid = null
      isBegun = true
      followed.push(link === null ? JSON.stringify({ chain, line }) : `{"chain":"${chain}",${line.slice(1)}`)
      head = { seq, hash: link?.hash ?? '' }
    }
    if (followed.length > 0) yield { chain, lines: followed, notices, head }
  }
}

/** Tells if a line replaces the last one read, or follows another: the database lost its end and has a new one. */
function isOtherLine(line: string, seq: number, { seq: last, hash }: ChainHead): boolean {
  if (seq === last) return !line.endsWith(`"hash":"${hash}"}`)
  return seq === last + 1 && !line.includes(`"prev":"${hash}"`)
}

/** The number of a line; 0 for the header of a file and anything else. */
const seqOf = (line: string): number => Number(/^\{"seq":(\d{1,15}),/.exec(line)?.[1] ?? 0)
