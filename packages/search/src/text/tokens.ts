import { bigrams } from './bigrams.ts'
import { CJK, KATAKANA } from './characters.ts'
import { readIdentifier, splitChunk } from './identifiers.ts'
import { foldKatakana } from './kana.ts'
import { normaliseWidth } from './normalise.ts'
import { skeletonsIn } from './okurigana.ts'
import { symbolTerms } from './symbols.ts'

/** Tokens of a text for the store: words and pairs in order, and the further forms a query may use. */
interface TokenStreams {
  readonly main: string[]
  readonly extra: string[]
}

const ATOM = new RegExp(`[${CJK}]+|[^\\s${CJK}]+`, 'gu')
const CJK_FIRST = new RegExp(`^[${CJK}]`, 'u')
const LONG_VOWEL_END = new RegExp(`(?<=[${KATAKANA}])[ァ-ヺ]ー(?![${KATAKANA}])`, 'gu')

/** Cuts a text into the two streams of tokens that are indexed. */
export const tokenStreams = (text: string): TokenStreams => wideTokenStreams(normaliseWidth(text))

/** Does the same for a text whose width is normalised. */
export function wideTokenStreams(wide: string): TokenStreams {
  const main: string[] = []
  const extra: string[] = []
  for (const [atom] of wide.matchAll(ATOM)) {
    if (CJK_FIRST.test(atom)) main.push(...bigrams(foldKatakana(atom)))
    else pushNames(atom, main, extra)
  }
  for (const skeleton of skeletonsIn(wide)) extra.push(...bigrams(skeleton))
  for (const [ending] of wide.matchAll(LONG_VOWEL_END)) extra.push(ending)
  extra.push(...symbolTerms(wide))
  return { main, extra }
}

function pushNames(chunk: string, main: string[], extra: string[]): void {
  for (const name of splitChunk(chunk)) {
    const { joined, parts } = readIdentifier(name)
    if (joined === '') continue
    main.push(joined)
    extra.push(...parts)
  }
}
