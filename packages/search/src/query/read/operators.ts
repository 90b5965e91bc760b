import { OPERATORS } from '../../query-constants.ts'
import { bigrams } from '../../text/bigrams.ts'
import { CJK, hasJapanese } from '../../text/characters.ts'
import { encodeSymbols } from '../../text/symbols.ts'
import { tokenStreams } from '../../text/tokens.ts'
import { phrase, symbolAlternative } from './terms/alternative.ts'

/** A query without its operators, and what they ask for as expressions of the store. */
export interface Operators {
  /** Text left to read, including the phrases' words. */
  readonly text: string
  /** Expressions that a page must have. */
  readonly required: readonly string[]
  /** Expressions that it must not have. */
  readonly excluded: readonly string[]
}

const QUOTED = /["“”＂]([^"“”＂]*)["“”＂]/gu
const EXCLUDED = /(?<=\s)[-－−]([^\s"-][^\s"]*)/gu
const ENDS_IN_PAIRS = new RegExp(`[${CJK}]{2}$`, 'u')
const words = (query: string): number => query.match(/[A-Za-z]{2,}/g)?.length ?? 0

/**
 * Reads `"exact phrase"` and `-word`. Latin words that the site writes with the hyphen (`git add -p`) are flags and stay; so does a hyphen
 * at the beginning, where nothing precedes to exclude from. Pasted messages have no operators.
 */
export function readOperators(query: string, count: (match: string) => number): Operators {
  if (words(query) >= OPERATORS.messageWords) return { text: query, required: [], excluded: [] }
  const required: string[] = []
  const excluded: string[] = []
  const unquoted = query.replace(QUOTED, (_, quoted: string) => {
    const match = phraseMatch(quoted)
    if (match !== null && required.length < OPERATORS.maxOperators) required.push(match)
    return ` ${quoted} `
  })
  const text = unquoted.replace(EXCLUDED, (whole, word: string) => {
    const match = isFlag(word, query, count) ? null : phraseMatch(word)
    if (match === null || excluded.length >= OPERATORS.maxOperators) return whole
    excluded.push(match)
    return ' '
  })
  return { text: text.trim(), required, excluded }
}

/** An expression for pages that have what is required besides. */
export function withRequired(match: string, { required }: Operators): string {
  return [match, ...required].map((one) => `(${one})`).join(' AND ')
}

/** The words one after another as the page has them; null when there is nothing to look for. */
function phraseMatch(words: string): string | null {
  const tokens = tokenStreams(words.trim()).main
  // The last character of a run is a token of its own only where the run ends on the page.
  const sought = ENDS_IN_PAIRS.test(words.trim()) ? tokens.slice(0, -1) : tokens
  if (sought.length === 0) return null
  const isOneCharacter = sought.length === 1 && hasJapanese(words) && bigrams(words.trim()).length === 1
  return isOneCharacter ? `${phrase(sought)} *` : phrase(sought)
}

function isFlag(word: string, query: string, count: (match: string) => number): boolean {
  if (hasJapanese(word)) return false
  const asFlag = count(symbolAlternative(encodeSymbols(`-${word}`), `-${word}`, 1).match)
  if (asFlag === 0 || !hasJapanese(query)) return asFlag > 0
  return asFlag * OPERATORS.minFlagShare >= count(phraseMatch(word) ?? '""')
}
