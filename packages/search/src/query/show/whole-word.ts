import type { MarkedRange } from '@sekisho/contract/search-response'
import { SNIPPET } from '../../query-constants.ts'
import { foldKatakana } from '../../text/kana.ts'
import { isReadOtherwise, type Lexicon } from '../read/words/lexicon.ts'

/** The site's words, as far as they say where one in a text begins and ends. */
export type SiteWords = Pick<Lexicon, 'find' | 'hasPrefix'>

const LONE_HAN = /^\p{Script=Han}$/u
const HAN = /\p{Script=Han}/u
const ALL_HAN = /^\p{Script=Han}+$/u
/** A verb in the form to which another is joined: 思い、取り、見つけ. */
const JOINED_VERB = /\p{Script=Han}[ぁ-ん]?[いきぎしちみりびけせねめれべげえ]$/u
const HAN_AND_KANA = /^\p{Script=Han}[ぁ-ん]+$/u
/** A verb joined to another, without what inflects it: 切り戻. */
const SECOND_VERB = /\p{Script=Han}[ぁ-ん]?[いきぎしちみりびけせねめれべげえ]\p{Script=Han}$/u
const KATAKANA_END = /[ァ-ヺー]$/
/** A longer rest is a further word (サーバー|コンポーネント). */
const KATAKANA_REST = /^[ァ-ヺー]{1,3}(?![ァ-ヺー])/
const JAPANESE_END = /[\p{Script=Han}ぁ-ん]$/u
const HIRAGANA = /^[ぁ-ん]/
const SURU = /^[さしすせ]/
/** A stem and the kana that inflect it. */
const VERB_END = /\p{Script=Han}[ぁ-ん]$/u
const VERB_REST =
  /^(?:かる|かり|かっ|から|ける|けて|ける|める|えて|える|れる|って|った|した|して|する|りた|ない|ます|[うくすつぬふむるいきしちりてた])/
/** て and た after the form of a verb that the lexicon has: 受け取っ|て, but not the たい of 書き直し|たい. */
const PAST = /(?<=[っいきしちりえけせてねべめれげ])(?:て|た(?![いくけめち]|かっ))|(?<=ん)[でだ]/y
const LETTER_END = /[A-Za-z\u00c0-\u024f]$/
const SMALL_LETTERS = /^[a-z\u00df-\u024f]+/
const LARGE_LETTER = /^[A-Z]/
const CAPITAL = /^[A-Z][a-z]/
const SMALL_LETTER_END = /[a-z\u00df-\u024f]$/

/**
 * The word that a match stands for, or none inside another word (元 in 手元, 出 in 思い出せない, 表 in 表す, port in report). Unfinished words (セッショ in
 * セッション) and verbs (見つ in 見つかる) are marked to their end.
 */
export function wholeWord(
  text: string,
  [start, end, ...as]: MarkedRange,
  words: SiteWords,
): MarkedRange | null {
  return isInsideAnother(text, start, end, words) ? null : [start, wordEnd(text, start, end, words), ...as]
}

function isInsideAnother(text: string, start: number, end: number, words: SiteWords): boolean {
  const found = text.slice(start, end)
  const before = text.slice(Math.max(0, start - 3), start)
  if (LONE_HAN.test(found)) {
    const beside = before.slice(-1) + text.slice(end, end + 1)
    return HAN.test(beside) || JOINED_VERB.test(before) || isOfOther(text, start, end, words)
  }
  if (ALL_HAN.test(found)) return isReadOn(text, start, end, words)
  if (HAN_AND_KANA.test(found)) return isEndOfAnother(before, found, words)
  return LETTER_END.test(found.slice(0, 1)) && LETTER_END.test(before) && !isHump(before, found)
}

/** Tells if a word of the site begins in the text before a verb and is no compound with it. */
const isEndOfAnother = (before: string, found: string, words: SiteWords): boolean =>
  [...before].some((character, at) => {
    const longer = foldKatakana(before.slice(at) + found)
    return HAN.test(character) && words.hasPrefix(longer) && !words.find(longer)?.parts.includes(found)
  })

/** Tells if the last character of a word begins the next, whose kana follow (部分 in 一部分かる). With する a noun is inflected (算出し). */
const isReadOn = (text: string, start: number, end: number, words: SiteWords): boolean =>
  !SURU.test(text.charAt(end)) &&
  !words.hasPrefix(foldKatakana(text.slice(start, end + 1))) &&
  isOfOther(text, end - 1, end, words)

/** Tells if a character begins a word of the site in which it reads differently than alone. */
const isOfOther = (text: string, start: number, end: number, words: SiteWords): boolean =>
  HIRAGANA.test(text.charAt(end)) &&
  isReadOtherwise(
    words.find(text.slice(start, end)),
    words.find(foldKatakana(text.slice(start, longestWord(text, start, end, words)))),
  )

/** Tells if a name's next part begins: Storage in localStorage, ReadLine in PSReadLine. */
const isHump = (before: string, found: string): boolean =>
  (SMALL_LETTER_END.test(before) && LARGE_LETTER.test(found)) || CAPITAL.test(found)

function wordEnd(text: string, start: number, end: number, words: SiteWords): number {
  const found = text.slice(start, end)
  if (KATAKANA_END.test(found)) return katakanaEnd(text, text.charAt(end) === 'ー' ? end + 1 : end, words)
  const rest = text.slice(end, end + SNIPPET.maxRest)
  if (SMALL_LETTER_END.test(found)) return end + lengthOf(SMALL_LETTERS, rest)
  if (!JAPANESE_END.test(found)) return end
  const ofSite = joinedEnd(text, start, longestWord(text, start, end, words), words)
  if (ofSite === end && words.find(foldKatakana(found)) === null)
    return VERB_END.test(found) ? end + lengthOf(VERB_REST, rest) : end
  PAST.lastIndex = ofSite
  return PAST.test(text) ? ofSite + 1 : ofSite
}

/** An unfinished word is marked to its end, unless what follows is one itself (エラー|コード). */
function katakanaEnd(text: string, end: number, words: SiteWords): number {
  const [rest = ''] = KATAKANA_REST.exec(text.slice(end)) ?? []
  return rest === '' || words.find(foldKatakana(rest)) !== null ? end : end + rest.length
}

const lengthOf = (pattern: RegExp, text: string): number => pattern.exec(text)?.[0].length ?? 0

/** End of the site's longest word that begins at `start` and continues in kana at `end`; `end` without one. */
function longestWord(text: string, start: number, end: number, words: SiteWords): number {
  let longest = end
  const mayGoOn =
    HIRAGANA.test(text.charAt(end)) || (VERB_END.test(text.slice(start, end)) && HAN.test(text.charAt(end)))
  if (!mayGoOn) return end
  for (let to = end + 1; to <= Math.min(text.length, end + SNIPPET.maxRest); to += 1) {
    const key = foldKatakana(text.slice(start, to))
    if (!words.hasPrefix(key)) break
    const parts = words.find(key)?.parts
    if (parts !== undefined && !isCutAt(parts, end - start)) longest = to
  }
  return longest
}

/** Tells if one of a compound's words ends after so many characters: 環境ごと is no longer form of 環境. */
function isCutAt(parts: readonly string[], length: number): boolean {
  let at = 0
  return parts.some((part) => {
    at += part.length
    return at === length
  })
}

/** End of a compound verb that the site has as two words: 並べ|替える after 並べ, 切り戻|す after 切り戻. */
function joinedEnd(text: string, start: number, end: number, words: SiteWords): number {
  const found = text.slice(start, end)
  const isStem = JOINED_VERB.test(found) && HAN.test(text.charAt(end))
  if (!isStem && !SECOND_VERB.test(found)) return end
  const second = isStem ? end : end - 1
  const joined = longestWord(text, second, second + 1, words)
  return HAN_AND_KANA.test(text.slice(second, joined)) ? joined : end
}
