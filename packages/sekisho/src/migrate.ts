import { GATE_GRANTS, migrateDatabase } from '@sekisho/state/database'
import { type RunCommand, readOptions } from './command.ts'
import { choose, type Text } from './language.ts'
import { explainState, readDatabase } from './open-state.ts'

const HELP: Text = {
  ja: `使い方: sekisho migrate [--grant ROLE]

SEKISHO_DATABASE_URL（または SEKISHO_DATABASE_URL_FILE）のデータベースにスキーマを作るか、最新にします。この版のゲートを
起動する前に、スキーマを作れるロールで実行してください。2 回、または 2 か所から同時に実行しても害はありません。

  --grant ROLE  ゲートに必要なことだけを、このロールに許す:
${GATE_GRANTS.map((grant) => `                  GRANT ${grant}`).join('\n')}
  --help        この説明を表示する`,
  en: `Usage: sekisho migrate [--grant ROLE]

Makes the schema in the database of SEKISHO_DATABASE_URL (or SEKISHO_DATABASE_URL_FILE), or brings it up to date; run it
with a role that may create a schema, before gates of this version start. Doing it twice, or from two places at once, does
no harm.

  --grant ROLE  lets this role do what a gate needs, and no more:
${GATE_GRANTS.map((grant) => `                  GRANT ${grant}`).join('\n')}
  --help        show this text`,
}

/** Runs `sekisho migrate`. */
export const runMigrate: RunCommand = async (args, io) => {
  const read = readOptions(args, io, { help: choose(io, HELP), options: { grant: { type: 'string' } } })
  if (!read.ok) return read.exitCode
  return explainState('migrate', io, async () => {
    const url = readDatabase(io)
    if (url === null) {
      const problem = choose(io, {
        ja: 'SEKISHO_DATABASE_URL を設定してください。データベースがなければ、することはありません',
        en: 'set SEKISHO_DATABASE_URL; without a database there is nothing to migrate',
      })
      io.complain(`sekisho migrate: ${problem}`)
      return 1
    }
    const { from, to } = await migrateDatabase(url, read.values.grant ?? null)
    io.print(
      from === to
        ? choose(io, { ja: `スキーマはすでに第 ${to} 版です。`, en: `The schema is version ${to} already.` })
        : choose(io, { ja: `スキーマを第 ${to} 版にしました。`, en: `The schema is now version ${to}.` }),
    )
    return 0
  })
}
