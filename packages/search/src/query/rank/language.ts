import type { SectionRecord } from '../../format/content.ts'
import { LANGUAGE } from '../../query-constants.ts'
import { HIRAGANA, hasJapanese, KATAKANA } from '../../text/characters.ts'
import type { Plan } from '../read/plan.ts'
import type { PageHead } from '../retrieve/pages.ts'

const KANA = new RegExp(`[${HIRAGANA}${KATAKANA}]`, 'gu')

type Head = Pick<PageHead, 'title' | 'headings'>

/**
 * Tells if Japanese results are preferred: for queries in Japanese, and on Japanese sites for names, which belong to no language. English
 * sentences get results in any language.
 */
export function wantsJapanese(query: string, { groups }: Plan, found: readonly Head[]): boolean {
  if (hasJapanese(query)) return true
  const isSentence = groups.some(({ fragments }) => fragments !== undefined)
  return !isSentence && 2 * found.filter(isHeadedInJapanese).length >= found.length
}

/** Tells if a page is written in Japanese, whatever its amount of code; incidental Japanese, as in the name of a link, does not count. */
export function isInJapanese(head: Head, sections: readonly SectionRecord[]): boolean {
  if (isHeadedInJapanese(head)) return true
  const characters = sections.reduce((sum, { text }) => sum + text.length, 0)
  const wanted = Math.ceil(LANGUAGE.minKanaShare * characters)
  // No further than that: most pages that are read so far are in Japanese.
  const kana = sections.values().flatMap(({ text }) => text.matchAll(KANA))
  return kana.take(wanted).reduce((count) => count + 1, 0) === wanted
}

const isHeadedInJapanese = ({ title, headings }: Head): boolean => hasJapanese(title) || hasJapanese(headings)
