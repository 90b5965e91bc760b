import { existsSync } from 'node:fs'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { DatabaseError } from '@sekisho/server/database'
import type { GateConfig } from '@sekisho/server/settings'
import { UnavailableError } from '@sekisho/server/unavailable-error'
import type { CommandIo } from '../../../command.ts'
import { withStores } from '../../../open-state.ts'
import { type CheckResult, found } from './finding.ts'

/** Names the receivers of notices, and counts what waits for them and what they did not take. */
export async function checkNotices(
  { notices, dataDir, databaseUrl }: GateConfig,
  io: CommandIo,
  mayAsk: boolean,
): Promise<CheckResult> {
  const receivers = [notices?.webhook, notices?.mail].flatMap((one) => one?.url.host ?? [])
  const facts = [found('saw_notices', receivers)]
  const folder = dataFolderAt(dataDir)
  const isKept = databaseUrl === null ? existsSync(folder.acknowledgements) : mayAsk
  if (receivers.length === 0 || !isKept) return { facts, findings: [] }
  try {
    const counts = await withStores({ databaseUrl, folder }, io, (stores) => stores.notices.count())
    return { facts: [...facts, found('saw_queue', counts)], findings: [] }
  } catch (error) {
    // The check of the database says so.
    if (error instanceof DatabaseError || error instanceof UnavailableError) return { facts, findings: [] }
    throw error
  }
}
