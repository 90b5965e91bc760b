import { createMessages, type Message } from '@sekisho/contract/language'
import { DATA_DIR } from '../../command.ts'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'reports')

/** Options of every report on what readers did. */
export const REPORT_OPTIONS = {
  days: { type: 'string', default: '30' },
  limit: { type: 'string', default: '20' },
  json: { type: 'boolean' },
  ...DATA_DIR,
} as const

/** Checks the given numbers; returns a message in the terminal's language, or null. */
export function findReportProblem({
  days,
  limit,
}: {
  readonly days: string
  readonly limit: string
}): Message | null {
  if (/^[1-9]\d{0,3}$/.test(days) && /^[1-9]\d{0,5}$/.test(limit)) return null
  return messageOf('bad_days_or_limit')
}
