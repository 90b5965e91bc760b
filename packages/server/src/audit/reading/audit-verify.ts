import type { KeyObject } from 'node:crypto'
import type { Message, MessageOrText } from '@sekisho/contract/language'
import { trailOf } from '../../storage/texts/index.ts'
import {
  CHAIN_START,
  type ChainHead,
  type FileHeader,
  type Link,
  readFileHeader,
  readLink,
} from '../chain/audit-chain.ts'
import { type ChainNote, readNote } from '../chain/audit-key.ts'
import type { AuditPart, AuditSource } from '../chain/audit-store.ts'
import { followRewritten } from '../chain/rewritten-lines.ts'

/** External evidence that a trail is compared with. */
export interface AuditExpectations {
  /** Key that must have signed the heads; null for a trail from before heads were signed. */
  readonly publicKey: KeyObject | null
  /** Hashes of lines that were noted elsewhere and must still be there. */
  readonly heads?: readonly string[]
  /** Numbers of lines that were noted elsewhere as the first ones kept, by chain. */
  readonly firsts?: ReadonlyMap<string, number>
  /** A part of a trail: what its chains noted of each other outside of that part cannot be looked up. */
  readonly isExport?: boolean
  /** Told of how many lines were followed so far, once for each part of the trail. */
  readonly onProgress?: (lines: number) => void
}

interface AuditProblem {
  /** Place of the problem: a file, or the chain. */
  readonly place: MessageOrText
  /** 0 when it is no single line. */
  readonly lineNumber: number
  readonly problem: Message
}

interface ChainVerdict {
  readonly chain: string
  readonly lines: number
  /** Number of the first line that is kept; 0 when there is none. */
  readonly firstSeq: number
  readonly head: ChainHead
  /** Time of the newest signed head; null without one. */
  readonly signedAt: string | null
  /** Number of the last line before the first signed head, which may have been removed; 0 without any. */
  readonly unsignedThrough: number
  /** Lines that a fail-over of the database took, and that stand in the chain again, whole and marked. */
  readonly rewritten: number
  /** The last line is incomplete: being written, or cut short by a crash. */
  readonly isUnfinished: boolean
}

export interface AuditVerdict {
  readonly ok: boolean
  /** In the order they were found; of a chain that is broken, only what stands before the break was read. */
  readonly problems: readonly AuditProblem[]
  readonly chains: readonly ChainVerdict[]
}

/**
 * Verifies every chain of a trail, and compares the ends with the signed heads, the chains' notes of each other, and external notes. Reads
 * in parts: memory does not grow with the trail.
 */
export async function verifyAudit(source: AuditSource, expected: AuditExpectations): Promise<AuditVerdict> {
  const problems: AuditProblem[] = []
  const notes = await readNotes(source, expected.publicKey, problems) // before the lines, which may grow meanwhile
  const chains = new Set([
    ...(await source.listChains()),
    ...notes.keys(),
    ...(expected.firsts?.keys() ?? []),
  ])
  if (chains.size === 0)
    problems.push({ place: trailOf('whole_trail'), lineNumber: 0, problem: trailOf('no_line') })
  const missing = new Set(expected.heads)
  const mentions = new Map<string, ChainHead>()
  const verdicts: ChainVerdict[] = []
  const rewritten = new Map<string, ReturnType<typeof followRewritten>>()
  let followed = 0
  for (const chain of chains) {
    const walk = createWalk(chain, notes.get(chain) ?? null, missing, mentions)
    for await (const part of source.read(chain)) {
      if (!walk.take(part)) break
      followed += part.lines.length
      expected.onProgress?.(followed)
    }
    const { verdict, found } = walk.finish(expected.publicKey !== null, expected.firsts?.get(chain))
    problems.push(...found)
    verdicts.push(verdict)
    rewritten.set(chain, walk.rewritten)
    for (const head of missing) if (walk.rewritten.seqOf(head) !== undefined) missing.delete(head)
  }
  for (const [chain, head] of mentions) {
    const verdict = verdicts.find((one) => one.chain === chain)
    if (verdict !== undefined && head.seq < verdict.firstSeq) continue // removed since
    if (expected.isExport === true && (verdict === undefined || head.seq > verdict.head.seq)) continue
    if (rewritten.get(chain)?.seqOf(head.hash) === head.seq) continue
    if (await holdsLine(source, chain, head)) continue
    problems.push({ place: chain, lineNumber: 0, problem: trailOf('noted_line_missing', head.seq) })
  }
  for (const head of missing) {
    problems.push({ place: trailOf('whole_trail'), lineNumber: 0, problem: trailOf('head_missing', head) })
  }
  return { ok: problems.length === 0, problems, chains: verdicts }
}

async function readNotes(
  source: AuditSource,
  publicKey: KeyObject | null,
  problems: AuditProblem[],
): Promise<ReadonlyMap<string, ChainNote>> {
  const notes = new Map<string, ChainNote>()
  if (publicKey === null) return notes
  const read = (texts: readonly string[]) =>
    texts.flatMap((text) => {
      const note = readNote(text, publicKey)
      if (note !== null) return note
      problems.push({ place: trailOf('signed_heads'), lineNumber: 0, problem: trailOf('other_key') })
      return []
    })
  for (const note of read(await source.readHeads())) notes.set(note.chain, note)
  for (const { chain, removed } of read(await source.readRemovals())) {
    const own = notes.get(chain)
    if (own !== undefined && own.removed.seq < removed.seq) notes.set(chain, { ...own, removed })
  }
  return notes
}

async function holdsLine(source: AuditSource, chain: string, head: ChainHead): Promise<boolean> {
  for await (const { lines } of source.read(chain, head.seq)) {
    if (
      lines.some((line) => line.startsWith(`{"seq":${head.seq},`) && line.endsWith(`,"hash":"${head.hash}"}`))
    )
      return true
  }
  return false
}

/** Follows one chain. */
function createWalk(
  chain: string,
  note: ChainNote | null,
  missing: Set<string>,
  mentions: Map<string, ChainHead>,
) {
  const found: AuditProblem[] = []
  const rewritten = followRewritten()
  let head: ChainHead | null = null
  let before: ChainHead = CHAIN_START
  let lines = 0
  let fileNumber: number | null = null
  let lastPlace = ''
  let unsignedThrough = 0
  let isUnfinished = false
  let isBroken = false

  function stop(place: string, lineNumber: number, problem: Message): false {
    found.push({ place, lineNumber, problem })
    isBroken = true
    return false
  }
  function takeHeader(header: FileHeader, place: string, lineNumber: number): boolean {
    const isNext = fileNumber === null || header.file === fileNumber + 1
    if (
      header.chain !== chain ||
      lineNumber !== 1 ||
      !place.endsWith(`-${String(header.file).padStart(6, '0')}.jsonl`)
    )
      return stop(place, lineNumber, trailOf('other_file'))
    if (!isNext) return stop(place, lineNumber, trailOf('file_missing', (fileNumber ?? 0) + 1))
    fileNumber = header.file
    if (head === null) head = before = header.after
    else if (header.after.seq !== head.seq || header.after.hash !== head.hash)
      return stop(place, lineNumber, trailOf('file_cut', head.seq + 1))
    return true
  }
  function takeLink(line: string, link: Link, place: string, lineNumber: number): boolean {
    if (head === null) head = before = { seq: link.seq - 1, hash: link.prev }
    if (link.seq !== head.seq + 1) return stop(place, lineNumber, trailOf('line_missing', head.seq + 1))
    if (link.prev !== head.hash) return stop(place, lineNumber, trailOf('replaced_before'))
    const problem = rewritten.take(line, head)
    if (problem !== null) found.push({ place, lineNumber, problem })
    head = { seq: link.seq, hash: link.hash }
    lines += 1
    missing.delete(link.hash)
    if (note !== null && note.head.seq === link.seq && note.head.hash !== link.hash)
      return stop(place, lineNumber, trailOf('signed_line_rewritten'))
    if (line.includes('"event":"unsigned_trail_continued"')) unsignedThrough = link.seq - 1
    if (line.includes('"event":"head_noted"')) readMention(line)
    return true
  }
  function readMention(line: string): void {
    const { event, chain: other, line: seq, head: hash } = JSON.parse(line)
    if (event !== 'head_noted' || typeof other !== 'string' || typeof seq !== 'number') return
    if ((mentions.get(other)?.seq ?? 0) < seq) mentions.set(other, { seq, hash: String(hash) })
  }

  return {
    rewritten,
    /** False once the chain is broken. */
    take({ place, firstLineNumber, lines: part, isCutShort = false }: AuditPart): boolean {
      if (isUnfinished) return stop(lastPlace, 0, trailOf('cut_short'))
      lastPlace = place
      if (isCutShort) {
        isUnfinished = true
        return true
      }
      return part.every((line, at) => {
        const lineNumber = firstLineNumber + at
        const header = readFileHeader(line)
        if (header !== null) return takeHeader(header, place, lineNumber)
        const link = readLink(line)
        return link === null
          ? stop(place, lineNumber, trailOf('altered'))
          : takeLink(line, link, place, lineNumber)
      })
    },
    finish(isSigned: boolean, expectedFirst: number | undefined) {
      const last = head ?? CHAIN_START
      const firstSeq = lines === 0 ? 0 : before.seq + 1
      const say = (problem: Message) => found.push({ place: chain, lineNumber: 0, problem })
      const unfinished = rewritten.findUnfinished()
      if (unfinished !== null && !isBroken) say(unfinished)
      if (isSigned && note === null) say(trailOf('no_signed_head'))
      if (note !== null && !isBroken && note.head.seq > last.seq)
        say(trailOf('end_missing', last.seq + 1, note.head.seq, note.at))
      if (note !== null && !isBroken && before.seq > note.removed.seq)
        say(trailOf('beginning_missing', note.removed.seq + 1, before.seq))
      if (
        note !== null &&
        before.seq === note.removed.seq &&
        before.hash !== note.removed.hash &&
        head !== null
      )
        say(trailOf('removed_lines_mismatch'))
      if (expectedFirst !== undefined && (firstSeq === 0 || firstSeq > expectedFirst))
        say(trailOf('first_line_late', expectedFirst, firstSeq))
      const signedAt = note?.at ?? null
      const counts = { lines, firstSeq, unsignedThrough, rewritten: rewritten.count }
      return { verdict: { chain, ...counts, head: last, signedAt, isUnfinished }, found }
    },
  }
}
