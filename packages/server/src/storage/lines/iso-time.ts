let formattedMs = Number.NaN
let formatted = ''

/** ISO 8601 in UTC with milliseconds. Log and audit trail ask for the same millisecond again and again. */
export function isoTime(atMs: number): string {
  if (atMs !== formattedMs) {
    formatted = new Date(atMs).toISOString()
    formattedMs = atMs
  }
  return formatted
}
