const DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo' })

/** The day in Japan at a moment, as `YYYY-MM-DD`. */
export const dayInJapan = (timeMs: number): string => DAY.format(timeMs)

/** Writes `YYYY-MM-DD` as 2026年1月2日; without Intl, so that the server and every browser agree. */
export function writeDay(day: string): string {
  const [year, month, date] = day.split('-').map(Number)
  return `${year}年${month}月${date}日`
}
