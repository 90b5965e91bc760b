import type { SectionRecord } from '../../format/content.ts'
import { LANGUAGE } from '../../query-constants.ts'
import { HIRAGANA, hasJapanese, KATAKANA } from '../../text/characters.ts'
import type { Plan } from '../read/plan.ts'
import type { PageHead } from '../retrieve/pages.ts'

const KANA = new RegExp(`[${HIRAGANA}${KATAKANA}]`, 'gu')

type Head = Pick<PageHead, 'title' | 'headings'>

/**
 * Whether whoever asks is answered in Japanese: who asks in Japanese, and on a site in Japanese who types a name, which is of no
 * language. An English sentence is answered in whatever language answers it.
 */
export function wantsJapanese(query: string, { groups }: Plan, found: readonly Head[]): boolean {
  if (hasJapanese(query)) return true
  const isSentence = groups.some(({ fragments }) => fragments !== undefined)
  return !isSentence && 2 * found.filter(isHeadedInJapanese).length >= found.length
}

/** Whether a page is written in Japanese, however much code it shows; a word of Japanese by the way, as in the name of a link, is none. */
export function isInJapanese(head: Head, sections: readonly SectionRecord[]): boolean {
  if (isHeadedInJapanese(head)) return true
  const characters = sections.reduce((sum, { text }) => sum + text.length, 0)
  const wanted = Math.ceil(LANGUAGE.minKanaShare * characters)
  // No further than that: most pages that are read so far are in Japanese.
  const kana = sections.values().flatMap(({ text }) => text.matchAll(KANA))
  return kana.take(wanted).reduce((count) => count + 1, 0) === wanted
}

const isHeadedInJapanese = ({ title, headings }: Head): boolean => hasJapanese(title) || hasJapanese(headings)
