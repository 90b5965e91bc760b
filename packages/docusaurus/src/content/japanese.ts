const DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo' })

/** The day in Japan at a moment, as `YYYY-MM-DD`. */
export const dayInJapan = (timeMs: number): string => DAY.format(timeMs)

/** Writes `YYYY-MM-DD` as 2026年1月2日; without Intl, so that the server and every browser agree. */
export function formatDay(day: string): string {
  const [year, month, date] = day.split('-').map(Number)
  return `${year}年${month}月${date}日`
}

/** Data of the theme about a tag in a list. */
type ListedTag = { readonly label: string; readonly permalink: string; readonly count: number }

/**
 * Most used first, then by code point. Not by locale: the server and the reader's browser need not agree on how kanji
 * sort, and React would discard the server's HTML and render the page again.
 */
export function orderTags<T extends ListedTag>(tags: readonly T[]): T[] {
  return [...tags].sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1))
}
