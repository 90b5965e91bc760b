import { GATE_GRANTS, migrateDatabase } from '@sekisho/gate'
import { type RunCommand, readOptions } from './command.ts'
import { explainState, readDatabase } from './open-state.ts'

const HELP = `Usage: sekisho migrate [--grant ROLE]

Makes the schema in the database of SEKISHO_DATABASE_URL (or SEKISHO_DATABASE_URL_FILE), or brings it up to date; run it
with a role that may create a schema, before gates of this version start. Doing it twice, or from two places at once, does
no harm.

  --grant ROLE  lets this role do what a gate needs, and no more:
${GATE_GRANTS.map((grant) => `                  GRANT ${grant}`).join('\n')}
  --help        show this text`

/** Runs `sekisho migrate`. */
export const runMigrate: RunCommand = async (args, io) => {
  const read = readOptions(args, io, { help: HELP, options: { grant: { type: 'string' } } })
  if (!read.ok) return read.exitCode
  return explainState('migrate', io, async () => {
    const url = readDatabase(io)
    if (url === null) {
      io.complain('sekisho migrate: set SEKISHO_DATABASE_URL; without a database there is nothing to migrate')
      return 1
    }
    const { from, to } = await migrateDatabase(url, read.values.grant ?? null)
    io.print(from === to ? `The schema is version ${to} already.` : `The schema is now version ${to}.`)
    return 0
  })
}
