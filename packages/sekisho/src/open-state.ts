import { existsSync, readFileSync } from 'node:fs'
import { ExplainedError } from '@sekisho/contract/explained-error'
import { createMessages } from '@sekisho/contract/language'
import {
  type AuditKey,
  type AuditSource,
  appendOperatorAct,
  type OperatorAct,
  openAuditKey,
  readAuditFolder,
  readOperator,
} from '@sekisho/server/audit'
import type { DataFolder } from '@sekisho/server/data-folder'
import type { Secrets } from '@sekisho/server/secrets'
import { readDatabaseUrlOnly, readSecretsOnly } from '@sekisho/server/settings'
import { openStores, type Stores } from '@sekisho/server/state'
import { type CommandIo, readDataFolder, recordAct } from './command.ts'
import { withSettingsFile } from './site/settings-file.ts'
import { TEXTS } from './texts/index.ts'

const messageOf = createMessages(TEXTS, 'state')

/** The database that the settings name; null for files in the data folder. Throws `ConfigError`. */
export function readDatabase(io: CommandIo): string | null {
  return readDatabaseUrlOnly(withSettingsFile(io), (path) => readFileSync(path, 'utf8'))
}

/** Tells if a command without `--data-dir` means a database. */
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
export async function withStores<Result>(
  place: { readonly databaseUrl: string | null; readonly folder: DataFolder },
  io: CommandIo,
  run: (stores: Stores, record: RecordAct) => Promise<Result>,
): Promise<Result> {
  if (place.databaseUrl === null && !existsSync(place.folder.sessions))
    throw new ExplainedError(messageOf('session_store_not_found', place.folder.root))
  const onProblem = () => {} // the statement that fails says so
  const options = { context: null, secrets: null, onProblem, now: io.clock }
  await using stores = await openStores({ ...place, ...options })
  return await run(stores, async (act, fields) => {
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

/** Runs an action on the stores of the folder that `--data-dir` names, else of the settings. */
export function onStores<Result>(
  dataDir: string | undefined,
  io: CommandIo,
  act: (stores: Stores, record: RecordAct) => Promise<Result>,
): Promise<Result> {
  const databaseUrl = dataDir === undefined ? readDatabase(io) : null
  return withStores({ databaseUrl, folder: readDataFolder(dataDir, io) }, io, act)
}

/** The trail of a data folder, or the one that gates share, whose key comes from their secret. */
interface Trail {
  readonly place: DataFolder
  readonly source: AuditSource
  /** Resolves to null for a folder in which no gate has made one. */
  readonly openKey: () => Promise<AuditKey | null>
  readonly record: RecordAct
  /** Null for a data folder. */
  readonly stores: Stores | null
}

/** Runs an action on the trail of the folder that `--data-dir` names, else of the settings. */
export function withTrail(
  dataDir: string | undefined,
  io: CommandIo,
  run: (trail: Trail) => Promise<number>,
): Promise<number> {
  const place = readDataFolder(dataDir, io)
  if (dataDir === undefined && isDatabaseNamed(io)) {
    const secrets = readSecrets(io)
    return onStores(dataDir, io, (stores, record) => {
      const openKey = () => stores.openAuditKey(secrets)
      return run({ source: stores.audit, place, openKey, record, stores })
    })
  }
  return run({
    source: readAuditFolder(place.audit),
    place,
    openKey: async () => (existsSync(place.auditKey) ? openAuditKey(place.auditKey) : null),
    record: (act, fields) => recordAct(place, io, act, fields),
    stores: null,
  })
}
