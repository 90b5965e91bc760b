import { existsSync, readFileSync } from 'node:fs'
import { ExplainedError } from '@sekisho/contract/explained-error'
import { createMessages } from '@sekisho/contract/language'
import { readDatabaseUrlOnly, readSecretsOnly } from '@sekisho/gate/settings'
import { openStores, type Stores } from '@sekisho/state'
import { appendOperatorAct, type OperatorAct, readOperator } from '@sekisho/state/audit'
import type { DataFolder } from '@sekisho/state/data-folder'
import type { Secrets } from '@sekisho/state/secrets'
import { UnavailableError } from '@sekisho/state/unavailable-error'
import { type CommandIo, recordAct } from '../command.ts'
import { explain, sayTo } from '../language.ts'
import { withSettingsFile } from '../site/settings-file.ts'
import { TEXTS } from '../texts/index.ts'

const messageOf = createMessages(TEXTS, 'state')

/** The database that the settings name; null for files in the data folder. Throws `ConfigError`. */
export function readDatabase(io: CommandIo): string | null {
  return readDatabaseUrlOnly(withSettingsFile(io), (path) => readFileSync(path, 'utf8'))
}

/** Whether a command without `--data-dir` means a database. */
export function isDatabaseNamed(io: CommandIo): boolean {
  const { SEKISHO_DATABASE_URL, SEKISHO_DATABASE_URL_FILE } = withSettingsFile(io)
  return (SEKISHO_DATABASE_URL ?? SEKISHO_DATABASE_URL_FILE ?? '').trim() !== ''
}

/** The secrets that gates on one database share. Throws `ConfigError`. */
export function readSecrets(io: CommandIo): Secrets {
  return readSecretsOnly(withSettingsFile(io), (path) => readFileSync(path, 'utf8'))
}

/** Records what is about to be done; fails when that cannot be written, and then it must not be done. */
export type RecordAct = (
  act: OperatorAct,
  fields: Readonly<Record<string, string | number | null>>,
) => Promise<void>

/**
 * Runs an operator's command on what gates keep in the database, or in a data folder where that is null. Rejects with `ExplainedError`
 * where no gate has kept anything: files that a command made would not be the gate's own.
 */
export async function withStores(
  place: { readonly databaseUrl: string | null; readonly folder: DataFolder },
  io: CommandIo,
  run: (stores: Stores, record: RecordAct) => Promise<void>,
): Promise<void> {
  if (place.databaseUrl === null && !existsSync(place.folder.sessions))
    throw new ExplainedError(messageOf('there_no_session', place.folder.root))
  const onProblem = () => {} // the statement that fails says so
  const options = { context: null, secrets: null, onProblem, now: io.clock }
  await using stores = await openStores({ ...place, ...options })
  await run(stores, async (act, fields) => {
    if (place.databaseUrl === null) return recordAct(place.folder, io, act, fields)
    const key = await stores.openAuditKey(readSecrets(io))
    await appendOperatorAct(
      { store: await stores.openOperatorChain(), key },
      readOperator(io.env),
      act,
      fields,
    )
  })
}

/** Everything that a store lists, a page at a time. */
export async function* pagesOf<Row>(
  list: (after: string) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): AsyncGenerator<readonly Row[]> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await list(after)
    yield page
    const last = page.at(-1)
    after = last === undefined ? undefined : keyOf(last)
  }
}

/** Records what an operator is about to do with releases where the gates that serve them keep their trail. */
export async function recordReleaseAct(
  folder: DataFolder,
  io: CommandIo,
  ...[act, fields]: Parameters<RecordAct>
): Promise<void> {
  if (!isDatabaseNamed(io)) return recordAct(folder, io, act, fields)
  await withStores({ databaseUrl: readDatabase(io), folder }, io, (_stores, record) => record(act, fields))
}

const EXPLAINED = [ExplainedError, UnavailableError]
/** SQLite's primary result code for a file that another process goes on writing (SQLITE_BUSY). */
const BUSY = 5

/**
 * Runs a command, and says in a sentence what the operator has to change about settings, the database or releases.
 * @param more further errors whose message is such a sentence
 */
export async function explainState(
  name: string,
  io: CommandIo,
  run: () => Promise<number>,
  more: readonly (abstract new (...args: never[]) => Error)[] = [],
): Promise<number> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (isBusy(error)) {
      io.complain(`sekisho ${name}: ${sayTo(io, messageOf('store_busy'))}`)
      return 1
    }
    if (![...EXPLAINED, ...more].some((kind) => error instanceof kind)) throw error
    io.complain(`sekisho ${name}: ${explain(io, error)}`)
    return 1
  }
}

function isBusy(error: Error): boolean {
  return 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === BUSY
}
