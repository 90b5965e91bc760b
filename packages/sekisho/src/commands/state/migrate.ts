import { resolve } from 'node:path'
import { createMessages, type Message } from '@sekisho/contract/language'
import { type DataFolder, dataFolderAt } from '@sekisho/server/data-folder'
import { GATE_GRANTS, migrateDatabase, OPERATOR_GRANTS } from '@sekisho/server/database'
import { moveToDatabase } from '@sekisho/server/moving'
import { type CommandIo, complainOf, defineCommand } from '../../command.ts'
import { sayTo } from '../../language.ts'
import { readDatabase, readSecrets, withStores } from '../../open-state.ts'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'state')

const HELP: Message = messageOf('migrate_help', GATE_GRANTS, OPERATOR_GRANTS)

const OPTIONS = {
  grant: { type: 'string' },
  'grant-operator': { type: 'string' },
  from: { type: 'string' },
} as const

/** Runs `sekisho migrate`. */
export const runMigrate = defineCommand(
  { name: 'migrate', help: HELP, options: OPTIONS },
  async (read, io) => {
    const url = readDatabase(io)
    if (url === null) return complainOf('migrate', messageOf('set_sekisho_database'), io)
    const { from, to } = await migrateDatabase(url, {
      gate: read.values.grant,
      operator: read.values['grant-operator'],
    })
    io.print(
      from === to ? sayTo(io, messageOf('schema_current', to)) : sayTo(io, messageOf('schema_migrated', to)),
    )
    if (read.values.from !== undefined)
      await moveState(url, dataFolderAt(resolve(io.cwd, read.values.from)), io)
    return 0
  },
)

const PROGRESS_MS = 200

/** Takes what a gate on one machine remembers into the database, and says how much of what. */
async function moveState(url: string, folder: DataFolder, io: CommandIo): Promise<void> {
  let shownAtMs = Number.NEGATIVE_INFINITY
  const moved = await moveToDatabase(url, folder, readSecrets(io), (table, rows) => {
    if (performance.now() - shownAtMs < PROGRESS_MS) return
    shownAtMs = performance.now()
    io.progress?.(sayTo(io, messageOf('rows_moved', table, rows)))
  })
  io.progress?.('')
  for (const [table, rows] of moved) io.print(sayTo(io, messageOf('rows_moved', table, rows)))
  await withStores({ databaseUrl: url, folder }, io, (_stores, record) =>
    record('state_moved', { from: folder.root, lines: moved.get('audit_lines') ?? 0 }),
  )
  io.print(sayTo(io, messageOf('state_moved', folder.root)))
}
