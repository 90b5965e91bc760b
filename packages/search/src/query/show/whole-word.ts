import type { MarkedRange } from '@sekisho/contract/search-response'
import { SNIPPET } from '../../query-constants.ts'

const LONE_HAN = /^\p{Script=Han}$/u
const HAN_ANY = /\p{Script=Han}/u
/** A verb in the form to which another is joined: 思い、取り、見つけ. */
const JOINED_VERB = /\p{Script=Han}[ぁ-ん]?[いきぎしちりみびけせねめれべげえ]$/u
const KATAKANA_END = /[ァ-ヺー]$/
const KATAKANA_REST = /^[ァ-ヺー]+/
/** A stem and the kana that inflect it. */
const VERB_END = /\p{Script=Han}[ぁ-ん]$/u
const VERB_REST =
  /^(?:かる|かり|かっ|から|ける|けて|ける|める|えて|える|れる|って|った|した|して|する|りた|ない|ます|[うくすつぬふむるいきしちりてた])/

/**
 * The word that a match stands for. A character inside another word is none (元 in 手元, 表 in 表示, 出 in 思い出せない); an unfinished word is marked to
 * its end (セッショ in セッション), and so is a verb (見つ in 見つかる).
 */
export function wholeWord(text: string, [start, end, ...as]: MarkedRange): MarkedRange | null {
  const found = text.slice(start, end)
  if (LONE_HAN.test(found)) {
    const before = text.slice(Math.max(0, start - 3), start)
    const beside = before.slice(-1) + text.slice(end, end + 1)
    return HAN_ANY.test(beside) || JOINED_VERB.test(before) ? null : [start, end, ...as]
  }
  const rest = (KATAKANA_END.test(found) ? KATAKANA_REST : VERB_END.test(found) ? VERB_REST : null)?.exec(
    text.slice(end, end + SNIPPET.maxRest + 1),
  )?.[0]
  const more = rest === undefined || rest.length > SNIPPET.maxRest ? 0 : rest.length
  return [start, end + more, ...as]
}
