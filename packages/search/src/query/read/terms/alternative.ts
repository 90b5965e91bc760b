import { ALTERNATIVE } from '../../../query-constants.ts'
import { phraseGrams } from '../../../text/bigrams.ts'
import { isHiragana, isKatakana } from '../../../text/characters.ts'
import type { Lexicon } from '../words/lexicon.ts'
import {
  aloneInKanji,
  aloneInKatakana,
  japanesePattern,
  namesPattern,
  skeletonPattern,
  wholeInKatakana,
} from './patterns.ts'

/** One way in which a part of the query may be written on a page. */
export interface Alternative {
  /**
   * Expression of the store's query language, built only from tokens, so that no query can add syntax. Empty
   * when the alternative is for ranking alone.
   */
  readonly match: string
  /** Pattern source that finds it in readable text; empty when only the store can tell. */
  readonly pattern: string
  /** 1 for what the reader typed, less the further from it. */
  readonly weight: number
  /** Shown to readers as a match; false hides it. */
  readonly isMarked?: false
  /** Another word of the same meaning, which its reader did not type. */
  readonly isSynonym?: true
}

/** A part of the query that a page should have: in one of its alternatives, or by all of its parts. */
export interface Group {
  readonly label: string
  readonly alternatives: readonly Alternative[]
  /** Parts of the group; pages with all parts apart count for less than with the whole. */
  readonly parts: readonly Group[]
  /** One word of the site, though a compound. */
  readonly isWord?: boolean
  /** Words like 方法 help to rank and must not exclude. */
  readonly optional: boolean
  /** On how many pages the group is to be expected, to weigh it against the others. */
  readonly pages: number
  /** Weight of the group beside its rarity, from 0 (the frame of a question) to 1, which is the default. */
  readonly weight?: number
  /** Index terms for pages without every group; none if only a phrase can find it. */
  readonly units?: readonly Unit[]
  /** Expressions for pieces of a sentence, of which a page may have some word for word: an error message of another version. */
  readonly fragments?: readonly string[]
}

/** Terms of which a page's best counts. */
export type Unit = readonly { readonly term: string; readonly weight: number }[]

const EXTRA = '{extra_title extra_headings extra_body}'

/** Tokens in sequence. */
export function phrase(tokens: readonly string[]): string {
  return `"${tokens.map((token) => token.replaceAll('"', '')).join(' ')}"`
}

/** A folded Japanese word or run. */
export function japaneseAlternative(key: string, weight: number): Alternative {
  const grams = phraseGrams(key)
  const isOneCharacter = Array.from(key).length === 1 && !isHiragana(key)
  const match = isOneCharacter ? `${phrase(grams)} *` : phrase(grams)
  return { match, pattern: japanesePattern(key), weight }
}

/** A katakana word: by itself or in a compound (サーバーコンポーネント), and inside other words (ログイン, トレイト) for less. */
export function katakanaWord(key: string, lexicon: Lexicon): Alternative[] {
  const inside = japaneseAlternative(key, 1)
  const isShort = key.length <= ALTERNATIVE.shortKatakana
  const longer = isShort ? [] : lexicon.withPrefix(key).filter((word) => word.key.length === key.length + 1)
  const others = longer.map((word) => word.key.slice(-1)).filter(isKatakana)
  return [
    {
      ...inside,
      pattern: isShort ? aloneInKatakana(inside.pattern) : wholeInKatakana(inside.pattern, others),
    },
    { ...inside, match: '', weight: ALTERNATIVE.insideWeight, isMarked: false },
  ]
}

/** A word of one Chinese character: by itself (表), and inside other words (表す, 表示) for less. */
export function kanjiWord(key: string): Alternative[] {
  const inside = japaneseAlternative(key, 1)
  const alone = { ...inside, pattern: aloneInKanji(inside.pattern) }
  return [alone, { ...inside, match: '', weight: ALTERNATIVE.insideWeight }]
}

/** A compound verb with or without its inner kana. */
export function skeletonAlternative(skeleton: string, weight: number): Alternative {
  return { match: `${EXTRA} : ${phrase(phraseGrams(skeleton))}`, pattern: skeletonPattern(skeleton), weight }
}

/** Names in sequence, each one token. */
export function namesAlternative(
  names: readonly string[],
  weight: number,
  boundary: 'word' | 'none',
): Alternative {
  return { match: phrase(names), pattern: namesPattern(names, boundary), weight }
}

/** Parts of identifiers in sequence: the parts of `getStaticPaths` are in the extra columns. */
export function partsAlternative(parts: readonly string[], weight: number): Alternative {
  return { match: `${EXTRA} : ${phrase(parts)}`, pattern: namesPattern(parts, 'none'), weight }
}

/** A term of punctuation and letters; `term` is encoded, `written` as typed. */
export function symbolAlternative(term: string, written: string, weight: number): Alternative {
  return { match: `${EXTRA} : ${phrase([term])}`, pattern: RegExp.escape(written), weight }
}
