let spelledMs = Number.NaN
let spelled = ''

/** ISO 8601 in UTC with milliseconds. Log and audit trail name the same few milliseconds again and again. */
export function isoTime(atMs: number): string {
  if (atMs !== spelledMs) {
    spelled = new Date(atMs).toISOString()
    spelledMs = atMs
  }
  return spelled
}
