const DAY_MS = 86_400_000
const MONDAY = 1

/** Monday of the week of a day, or some weeks away from it; both `YYYY-MM-DD`. */
export function weekOf(day: string, weeksLater = 0): string {
  const atMs = Date.parse(`${day}T00:00Z`)
  const sinceMonday = (new Date(atMs).getUTCDay() - MONDAY + 7) % 7
  return new Date(atMs + (7 * weeksLater - sinceMonday) * DAY_MS).toISOString().slice(0, 10)
}
