import { KANA_RESPELLING } from '../../../query-constants.ts'
import { hasHan } from '../../../text/characters.ts'
import { foldReading } from '../../../text/kana.ts'
import type { Reader } from '../terms/reader.ts'
import type { LexiconWord } from '../words/lexicon.ts'
import type { RepairedSegment } from './repair-katakana.ts'

const STEM = /\p{Script=Han}[いきぎしちみりびけえめれべげせね]?$/u

/**
 * A word of the site half of which was typed in kana: 呼びだし for 呼び出し, 使いかた for 使い方. The kana after a stem are
 * compared with how the site's words that begin so are read; what was typed stays as another way to find it.
 */
export function respellKana(segments: readonly RepairedSegment[], reader: Reader): RepairedSegment[] {
  const respelled: RepairedSegment[] = []
  for (let at = 0; at < segments.length; at += 1) {
    const [stem, kana] = [segments[at], segments[at + 1]]
    if (stem === undefined) break
    const found =
      kana?.kind === 'kana' && STEM.test(stem.text) ? findWord(stem.text, kana.text, reader) : null
    if (found === null || kana === undefined) {
      respelled.push(stem)
      continue
    }
    const others = [stem.text + kana.text.slice(0, found.length)]
    respelled.push({ text: found.word.key, kind: 'word', word: found.word, others })
    const rest = kana.text.slice(found.length)
    if (rest !== '') respelled.push({ text: rest, kind: 'kana', word: null })
    at += 1
  }
  return respelled
}

function findWord(stem: string, kana: string, reader: Reader): { word: LexiconWord; length: number } | null {
  const words = [...reader.lexicon.withPrefix(stem + kana.charAt(0)), ...reader.lexicon.withPrefix(stem)]
  for (
    let length = Math.min(KANA_RESPELLING.maxKana, kana.length);
    length >= KANA_RESPELLING.minKana;
    length -= 1
  ) {
    const reading = foldReading(kana.slice(0, length))
    const word = words.find(
      ({ key, reading: whole }) => hasHan(key.slice(stem.length)) && whole.endsWith(reading),
    )
    if (word !== undefined) return { word, length }
  }
  return null
}
