import type { Group } from '../terms/alternative.ts'
import { japanesePattern } from '../terms/patterns.ts'
import type { Reader } from '../terms/reader.ts'
import { isReadOtherwise } from '../words/lexicon.ts'
import type { Segment } from '../words/segment.ts'

const LONE_HAN = /^\p{Script=Han}$/u
const PARTICLE = /^(?:[はがをにのともへやかでだ]|より|ずつ|まで|など|しか|ほど|くらい|ぐらい|たち|って|ごと)/
/** Kana that stand in each other's place when a verb is inflected. */
const ROWS =
  'かきくけこい がぎぐげごい さしすせそ たちつてとっ なにぬねのん ばびぶべぼん まみむめもん らりるれろっ わいうえおっ'.split(
    ' ',
  )

/**
 * Searches a character typed with the kana of a verb that the site has in other forms (空けた for 空ける). It is found anywhere, but marked in
 * these forms alone if it reads otherwise by itself (空).
 */
export function markedAsStem(group: Group, next: Segment | undefined, { lexicon }: Reader): Group {
  const [own, ...others] = group.alternatives
  if (own === undefined || !LONE_HAN.test(group.label) || next?.kind !== 'kana') return group
  const alone = lexicon.find(group.label)
  const isForm = (kana: string): boolean =>
    lexicon.hasPrefix(group.label + kana) &&
    [lexicon.find(group.label + kana), ...lexicon.withPrefix(group.label + kana)].some(
      (word) => word?.parts.length === 0 && isReadOtherwise(alone, word),
    )
  const typed = next.text.charAt(0)
  if (PARTICLE.test(next.text) && !isForm(typed)) return group
  const forms = new Set(ROWS.filter((row) => row.includes(typed)).join(''))
  const shown = [...forms]
    .filter(isForm)
    .map((kana) => ({ match: '', pattern: japanesePattern(group.label + kana), weight: own.weight }))
  return shown.length === 0
    ? group
    : { ...group, alternatives: [{ ...own, isMarked: false }, ...shown, ...others] }
}
