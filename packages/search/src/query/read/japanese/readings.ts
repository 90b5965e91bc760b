import { READINGS } from '../../../query-constants.ts'
import { foldReading, looseReading } from '../../../text/kana.ts'
import { type Lexicon, type LexiconWord, prominence } from '../words/lexicon.ts'

/** The words that one stretch of a kana query may stand for, best first. */
export interface ReadPart {
  readonly kana: string
  readonly words: readonly LexiconWord[]
}

const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  'の を に が は と で も へ や から まで より には では とは への での する した して したい なる ない'
    .split(' ')
    .map(foldReading),
)

interface Path {
  readonly cost: number
  readonly from: number
  readonly part: ReadPart | null
}

/**
 * Reads kana as any number of the site's words (かんきょうへんすう, せいてきあせっと). `open` permits an unfinished last word. Unreadable kana are retried
 * with long or short vowels (kansu for kansuu). Returns null without a reading.
 */
export function readKana(kana: string, lexicon: Lexicon, open: boolean): ReadPart[] | null {
  const read = (isLoose: boolean) => {
    const folded = isLoose ? looseReading(kana) : foldReading(kana)
    return bestPath(folded, (stretch, isLast) => readStretch(stretch, lexicon, open && isLast, isLoose))
  }
  const strict = read(false)
  if (strict?.length === 1 && strict[0]?.kana.length === foldReading(kana).length) return strict
  const whole = lexicon.readLooselyAs(looseReading(kana))
  return whole.length > 0 ? [{ kana, words: whole }] : (strict ?? read(true))
}

/** Tells if a reading is only a guess (ねこのかいかた as 回 and 型, おにぎり as 握り): mostly short words, or a particle without a word before it. */
export function isGuess(kana: string, parts: readonly ReadPart[]): boolean {
  const [first] = parts
  if (first === undefined) return false
  const starts = [kana, foldReading(kana), looseReading(kana)].some((text) => text.startsWith(first.kana))
  const short = parts.filter((part) => part.kana.length <= READINGS.shortReading).length
  return !starts || (parts.length > 1 && short > parts.filter(isSure).length)
}

function isSure({ kana, words: [best] }: ReadPart): boolean {
  if (best === undefined || kana.length <= READINGS.shortReading) return false
  return prominence(best) >= READINGS.common && looseReading(best.reading) === looseReading(kana)
}

function bestPath(
  folded: string,
  readPiece: (stretch: string, isLast: boolean) => { cost: number; part: ReadPart | null } | null,
): ReadPart[] | null {
  const best: (Path | undefined)[] = [{ cost: 0, from: 0, part: null }]
  for (let end = 1; end <= folded.length; end += 1) {
    for (let start = Math.max(0, end - READINGS.maxReading); start < end; start += 1) {
      const before = best[start]
      const step = before === undefined ? null : readPiece(folded.slice(start, end), end === folded.length)
      if (before === undefined || step === null) continue
      const cost = before.cost + step.cost
      if (cost < (best[end]?.cost ?? Number.POSITIVE_INFINITY))
        best[end] = { cost, from: start, part: step.part }
    }
  }
  return trace(best, folded.length)
}

function readStretch(
  kana: string,
  lexicon: Lexicon,
  open: boolean,
  isLoose: boolean,
): { cost: number; part: ReadPart | null } | null {
  if (FUNCTION_WORDS.has(kana)) return { cost: 0.8, part: null }
  if (kana.length < READINGS.minReading) return null
  const exact = isLoose ? lexicon.readLooselyAs(kana) : lexicon.readAs(kana)
  const started = open ? lexicon.readingPrefix(kana) : []
  if (exact.length + started.length === 0) return null
  const words = [...exact, ...started].sort((a, b) => likelihood(b, kana) - likelihood(a, kana))
  return { cost: costOf(words, kana) + (exact.length > 0 ? 0 : 0.5), part: { kana, words } }
}

/** While a word is being typed, a common one that starts so is likelier than a rare one that is complete. */
function likelihood(word: LexiconWord, kana: string): number {
  return prominence(word) * (word.reading === kana ? READINGS.exactBonus : 1)
}

/** Fewer words are likelier, and so are words that the site uses much; short readings are ambiguous. */
function costOf(words: readonly LexiconWord[], kana: string): number {
  const most = Math.max(...words.map(prominence))
  return 1 + 1 / (1 + Math.log2(1 + most)) + (kana.length < 3 ? 0.5 : 0)
}

function trace(best: readonly (Path | undefined)[], length: number): ReadPart[] | null {
  const parts: ReadPart[] = []
  for (let end = length; end > 0; ) {
    const path = best[end]
    if (path === undefined) return null
    if (path.part !== null) parts.unshift(path.part)
    end = path.from
  }
  return parts.length > 0 ? parts : null
}
