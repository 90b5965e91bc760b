import { HAN, KATAKANA } from '../../text/characters.ts'
import { englishKey } from '../../text/english.ts'
import { splitChunk } from '../../text/identifiers.ts'
import { foldKatakana } from '../../text/kana.ts'
import { normalise } from '../../text/normalise.ts'

/** An English term and the Japanese term a page writes beside it, both in lookup form. */
interface Gloss {
  readonly english: string
  readonly japanese: string
}

const PART = `[${HAN}${KATAKANA}]`
const JOINT = '[いきぎしちみりびけえめれべげせの]'
const TERM = `${PART}+(?:${JOINT}${PART}+)*`
const ENGLISH = '[A-Za-z]{2,}(?:[ -][A-Za-z]+){0,3}'
/** Terms are read from their beginnings alone, so that a text is read once. */
const JAPANESE_FIRST = new RegExp(`(?<!${PART}|${PART}${JOINT})(${TERM}) ?[(（](${ENGLISH})[)）]`, 'gu')
const ENGLISH_FIRST = new RegExp(`(?<![A-Za-z])(${ENGLISH}) ?[(（](${TERM})[)）]`, 'gu')
const MAX_WORDS = 4
const MAX_HEADING = 16
const AFTER_TERM = /(?:とは[?？]?|について)$/
const CONJUNCTION = /と|や|および|、|・|&/u
/** Chapter and section numbers in an address: ch04, 02, part-1. */
const NUMBERING = /^(?:(?:ch|chapter|part|sec|section|step)?\d+[a-z]?|chapter|part|section|step)$/i
const HEADING_TERM = new RegExp(`^${TERM}$`, 'u')

/** Pairs written side by side: 「所有権（ownership）」, 「ownership（所有権）」. */
export function glossesIn(text: string): Gloss[] {
  const found: Gloss[] = []
  for (const [, japanese = '', english = ''] of text.matchAll(JAPANESE_FIRST))
    found.push(gloss(english, japanese))
  for (const [, english = '', japanese = ''] of text.matchAll(ENGLISH_FIRST))
    found.push(gloss(english, japanese))
  return found
}

/**
 * A translated heading often keeps its English anchor, and a page its English address: 「条件付きレンダー」
 * under `#conditional-rendering` says that the two mean the same, 「参照と借用」 in `ch04-02-references-and-borrowing` says it
 * of two pairs, and of 「トレイト: 共通の振る舞い」 in `traits` the first part counts.
 */
export function headingGlosses(heading: string, name: string): Gloss[] {
  const [first = ''] = heading.split(/[:：]/, 1)
  const term = first.trim().replace(AFTER_TERM, '').trimEnd()
  const words = splitChunk(name)
    .flatMap((part) => part.split(/[-_]+/))
    .filter((word) => !NUMBERING.test(word))
  if (words.length === 0 || !words.every((word) => /^[a-z]{2,}$/i.test(word))) return []
  const english = words.join(' ').split(/ and /i)
  const japanese = english.length === 1 ? [term] : term.split(CONJUNCTION)
  if (english.length !== japanese.length) return []
  return english.flatMap((one, at) => termGloss(one, japanese[at] ?? ''))
}

function termGloss(english: string, japanese: string): Gloss[] {
  const isPlausible =
    english.split(' ').length <= MAX_WORDS &&
    japanese.length <= Math.min(MAX_HEADING, english.length) &&
    HEADING_TERM.test(japanese)
  return isPlausible ? [gloss(english, japanese)] : []
}

function gloss(english: string, japanese: string): Gloss {
  return { english: englishKey(english), japanese: foldKatakana(normalise(japanese)) }
}
