import { readFileSync } from 'node:fs'
import { ConfigError, readDatabaseUrlOnly, readSecretOnly } from '@sekisho/gate/settings'
import { ReleaseError } from '@sekisho/release'
import { openStores, type Stores } from '@sekisho/state'
import { appendOperatorAct, deriveAuditKey, type OperatorAct, readOperator } from '@sekisho/state/audit'
import type { DataFolder } from '@sekisho/state/data-folder'
import { DatabaseError } from '@sekisho/state/database'
import { UnavailableError } from '@sekisho/state/unavailable-error'
import { type CommandIo, recordAct } from './command.ts'
import { withSettingsFile } from './site/settings-file.ts'

/** The database that the settings name; null for files in the data folder. Throws `ConfigError`. */
export function readDatabase(io: CommandIo): string | null {
  return readDatabaseUrlOnly(withSettingsFile(io), (path) => readFileSync(path, 'utf8'))
}

/** Whether a command without `--data-dir` means a database. */
export function isDatabaseNamed(io: CommandIo): boolean {
  const { SEKISHO_DATABASE_URL, SEKISHO_DATABASE_URL_FILE } = withSettingsFile(io)
  return (SEKISHO_DATABASE_URL ?? SEKISHO_DATABASE_URL_FILE ?? '').trim() !== ''
}

/** The secret that gates on one database share. Throws `ConfigError`. */
export function readSecret(io: CommandIo): string {
  return readSecretOnly(withSettingsFile(io), (path) => readFileSync(path, 'utf8'))
}

/** Records what is about to be done; fails when that cannot be written, and then it must not be done. */
export type RecordAct = (
  act: OperatorAct,
  fields: Readonly<Record<string, string | number | null>>,
) => Promise<void>

/** Runs an operator's command on what gates keep in the database, or in a data folder where that is null. */
export async function withStores(
  place: { readonly databaseUrl: string | null; readonly folder: DataFolder },
  io: CommandIo,
  run: (stores: Stores, record: RecordAct) => Promise<void>,
): Promise<void> {
  const onProblem = () => {} // the statement that fails says so
  const options = { context: null, secret: null, onProblem, now: io.clock }
  await using stores = await openStores({ ...place, ...options })
  await run(stores, async (act, fields) => {
    if (place.databaseUrl === null) return recordAct(place.folder, io, act, fields)
    const trail = { store: await stores.openOperatorChain(), key: deriveAuditKey(readSecret(io)) }
    await appendOperatorAct(trail, readOperator(io.env), act, fields)
  })
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

const EXPLAINED = [ConfigError, DatabaseError, UnavailableError, ReleaseError]

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
    const isKnown = [...EXPLAINED, ...more].some((kind) => error instanceof kind)
    if (!isKnown || !(error instanceof Error)) throw error
    io.complain(`sekisho ${name}: ${error.message}`)
    return 1
  }
}
