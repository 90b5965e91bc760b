import { createMessages } from '@sekisho/contract/language'
import { trimTrail } from '@sekisho/server/audit'
import type { Stores } from '@sekisho/server/state'
import type { CommandIo } from '../../command.ts'
import { formatTime, sayTo } from '../../language.ts'
import { type RecordAct, readSecrets } from '../../open-state.ts'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'reports')

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 }

/** Reads a time such as `365d`; null for anything else. */
export function readKeep(text: string | undefined): number | null {
  const [, count = '', unit = ''] = /^([1-9]\d{0,4})([hd])$/.exec(text ?? '') ?? []
  return unit === '' ? null : Number(count) * (UNIT_MS[unit] ?? 0)
}

/** Removes what is older from the trail that gates share: each time recorded by whom, signed, and then done. */
export async function runTrim(
  { trim, openAuditKey }: Stores,
  keepMs: number,
  io: CommandIo,
  record: RecordAct,
): Promise<number> {
  if (trim === null) return 1
  const beforeMs = io.clock() - keepMs
  const trimmed = await trimTrail({
    place: trim,
    key: await openAuditKey(readSecrets(io)),
    beforeMs,
    now: io.clock,
    record: ({ chain, through }) =>
      record('audit_trimmed', { chain, through: through.seq, head: through.hash }),
    onProgress: (lines) => io.progress?.(sayTo(io, messageOf('lines_removed', lines))),
  })
  io.progress?.('')
  for (const { chain, lines, through } of trimmed)
    io.print(sayTo(io, messageOf('chain_trimmed', chain, lines, through.seq)))
  if (trimmed.length === 0) io.print(sayTo(io, messageOf('no_older_lines', formatTime(beforeMs))))
  return 0
}
