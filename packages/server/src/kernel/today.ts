/** Clock of the portal, and the IANA name of its time zone. */
export interface PortalClock {
  readonly now: () => number
  readonly timeZone: string
}

/** Names the day of a moment in the portal's time zone, as readers of a language write it. */
export const nameOfDay = (ms: number, lang: string, timeZone: string): string =>
  new Date(ms).toLocaleDateString(lang, { year: 'numeric', month: 'long', day: 'numeric', timeZone })

/** Creates a function that returns the day in the portal's time zone, `YYYY-MM-DD`. Every page, result and agent gets this one. */
export function createToday({ now, timeZone }: PortalClock): () => string {
  const format = new Intl.DateTimeFormat('sv', { timeZone }) // writes days as ISO 8601 does
  return () => format.format(now())
}
