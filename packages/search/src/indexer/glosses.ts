import { HAN, KATAKANA } from '../text/characters.ts'
import { englishKey } from '../text/english.ts'
import { splitChunk } from '../text/identifiers.ts'
import { foldKatakana } from '../text/kana.ts'
import { normalise } from '../text/normalise.ts'

/** An English term and the Japanese term a page writes beside it, both in lookup form. */
export interface Gloss {
  readonly english: string
  readonly japanese: string
}

const TERM = `[${HAN}${KATAKANA}]+(?:[いきぎしちみりびけえめれべげせの付][${HAN}${KATAKANA}]+)*`
const ENGLISH = `[A-Za-z][A-Za-z]+(?:[ -][A-Za-z]+){0,3}`
const JAPANESE_FIRST = new RegExp(`(${TERM}) ?[(（](${ENGLISH})[)）]`, 'gu')
const ENGLISH_FIRST = new RegExp(`(${ENGLISH}) ?[(（](${TERM})[)）]`, 'gu')
const MAX_WORDS = 4
const MAX_HEADING = 16
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
 * under `#conditional-rendering` says that the two mean the same.
 */
export function headingGlosses(heading: string, name: string): Gloss[] {
  const trimmed = heading.trim()
  if (trimmed.length > MAX_HEADING || !HEADING_TERM.test(trimmed)) return []
  const words = splitChunk(name).flatMap((part) => part.split(/[-_]+/))
  const english = words.filter((word) => /^[a-z]{2,}$/i.test(word))
  if (english.length === 0 || english.length !== words.length || english.length > MAX_WORDS) return []
  const isPlausible = trimmed.length <= english.join(' ').length
  return isPlausible ? [gloss(english.join(' '), trimmed)] : []
}

function gloss(english: string, japanese: string): Gloss {
  return { english: englishKey(english), japanese: foldKatakana(normalise(japanese)) }
}
