import { SYNONYMS } from '../../../query-constants.ts'
import { hasJapanese, isKatakana } from '../../../text/characters.ts'
import { termOf } from '../../../text/terms.ts'
import type { Lexicon } from '../words/lexicon.ts'
import {
  type Alternative,
  japaneseAlternative,
  katakanaWord,
  namesAlternative,
  type Unit,
} from './alternative.ts'
import type { Reader } from './reader.ts'
import { oneOf } from './units.ts'

/** Other words for one of the query's: how to find them as phrases, and as terms. */
interface Synonyms {
  readonly alternatives: readonly Alternative[]
  readonly unit: Unit
}

/** Any kana but the commonest particles: 作る and 作り, and not 操作は. */
const INFLECTION = '(?![はをがの])[ぁ-ん]'

/** Other words for `key` (folded; a name is joined), which stands on so many `pages`. */
export function synonymsOf(key: string, { lexicon, isExact }: Reader, pages: number): Synonyms {
  if (isExact) return { alternatives: [], unit: [] }
  const others = lexicon.synonymsOf(termOf(key)).slice(0, SYNONYMS.maxSynonyms)
  return {
    alternatives: others.slice(0, SYNONYMS.maxAlternatives).map(({ key: other, weight }, at) => {
      const written = { ...alternative(other, weight, lexicon), isSynonym: true as const }
      if (pages <= SYNONYMS.commonPages)
        return at < SYNONYMS.maxSearched ? written : { ...written, match: '' }
      return { ...written, match: '', weight: hasJapanese(key) ? weight * SYNONYMS.commonWeight : weight }
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
