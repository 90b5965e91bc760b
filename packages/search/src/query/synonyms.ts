import { hasJapanese, isKatakana } from '../text/characters.ts'
import { termOf } from '../text/terms.ts'
import {
  type Alternative,
  japaneseAlternative,
  katakanaWord,
  namesAlternative,
  type Unit,
} from './alternative.ts'
import type { Lexicon } from './lexicon.ts'
import type { Reader } from './reader.ts'
import { oneOf } from './units.ts'

/** Other words for one of the query's: how to find them as phrases, and as terms. */
export interface Synonyms {
  readonly alternatives: readonly Alternative[]
  readonly unit: Unit
}

const MAX_SYNONYMS = 6
const MAX_ALTERNATIVES = 5
const MAX_SEARCHED = 3
/** A word the site itself uses this much is what its reader means: others only help to rank. */
const COMMON_PAGES = 60
const COMMON_WEIGHT = 0.5
/** Any kana but the commonest particles: 作る and 作り, and not 操作は. */
const INFLECTION = '(?![はをがの])[ぁ-ん]'

/** Other words for `key` (folded; a name is joined), which stands on so many `pages`. */
export function synonymsOf(key: string, { lexicon, isExact }: Reader, pages: number): Synonyms {
  if (isExact) return { alternatives: [], unit: [] }
  const others = lexicon.synonymsOf(termOf(key)).slice(0, MAX_SYNONYMS)
  return {
    alternatives: others.slice(0, MAX_ALTERNATIVES).map(({ key: other, weight }, at) => {
      const written = alternative(other, weight, lexicon)
      if (pages <= COMMON_PAGES) return at < MAX_SEARCHED ? written : { ...written, match: '' }
      return { ...written, match: '', weight: hasJapanese(key) ? weight * COMMON_WEIGHT : weight }
    }),
    unit: oneOf(others.filter(({ key: other }) => !other.includes(' '))),
  }
}

/** A verb in any of its forms is found by its term; where it stands in a text is told by what its forms share. */
function alternative(key: string, weight: number, lexicon: Lexicon): Alternative {
  if (!hasJapanese(key)) return namesAlternative(key.split(' '), weight, 'word')
  const [whole] = isKatakana(key) ? katakanaWord(key, lexicon) : []
  if (whole !== undefined) return { ...whole, weight }
  const stem = /^(\p{Script=Han}+)[ぁ-ん]+$/u.exec(key)?.[1]
  if (stem === undefined) return japaneseAlternative(key, weight)
  return {
    match: '',
    pattern: `(?<![一-龠々])${japaneseAlternative(stem, weight).pattern}${INFLECTION}`,
    weight,
  }
}
