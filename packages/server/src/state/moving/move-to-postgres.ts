import { existsSync } from 'node:fs'
import { ExplainedError } from '@sekisho/contract/explained-error'
import { readLink } from '../../audit/chain/audit-chain.ts'
import { openAuditKey, readNote } from '../../audit/chain/audit-key.ts'
import { readAuditFolder } from '../../audit/files/audit-source.ts'
import { type DataFolder, lockDataFolder } from '../../storage/data-folder.ts'
import { type Database, openDatabase, type Query } from '../../storage/database/database.ts'
import { problemOf } from '../../storage/texts/index.ts'
import { adoptAuditKey } from '../secrets/postgres-secret.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { copyRows, insertRows } from './copy-rows.ts'
import { openSources } from './read-folder.ts'

/** Reason a move did not happen; the message names the remedy. */
export class MovingError extends ExplainedError {
  override readonly name = 'MovingError'
  readonly code = 'not_moved'
}

/** Number of rows moved into each table. */
export type Moved = ReadonlyMap<string, number>

interface MoveOptions {
  readonly folder: DataFolder
  readonly database: Pick<Database, 'transaction'>
  readonly secrets: Secrets
  /** Told of a table and of how many rows of it were written so far. */
  readonly onProgress: (table: string, rows: number) => void
}

/** Tables in an order in which each row finds those that it refers to; leases and rate limits are of running gates alone. */
export const TABLES = [
  'contexts',
  'sessions',
  'accounts',
  'session_ends',
  'spent_tokens',
  'revocations',
  'grants',
  'grant_tokens',
  'agent_clients',
  'publish_tokens',
  'acknowledgements',
  'visits',
  'notices',
  'watches',
  'page_readers',
  'page_weeks',
  'search_log',
  'audit_heads',
  'audit_removals',
  'audit_lines',
  'secret',
] as const

/**
 * Copies a gate's state from a data folder into an empty database in one transaction. The folder stays as it was; chains keep names, heads
 * and key. Throws {@link MovingError}, and `DataFolderError` while a gate runs on the folder.
 */
async function moveToPostgres({ folder, database, secrets, onProgress }: MoveOptions): Promise<Moved> {
  if (!existsSync(folder.sessions)) throw new MovingError(problemOf('nothing_to_move', folder.root))
  using _lock = lockDataFolder(folder)
  using sources = openSources(folder, secrets)
  return await database.transaction(async (ask) => {
    await assertEmpty(ask)
    await adoptAuditKey(ask, secrets, openAuditKey(folder.auditKey))
    const moved = new Map<string, number>()
    const contexts = await insertContexts(ask, sources.contexts)
    for (const table of sources.tables) {
      const rows = await copyRows(ask, table, contexts, (count) => onProgress(table.name, count))
      moved.set(table.name, rows)
    }
    moved.set('audit_lines', await copyTrail(ask, folder, (count) => onProgress('audit_lines', count)))
    return moved
  })
}

/** The same with a connection of its own. Throws `DatabaseError` when the database cannot be used. */
export async function moveToDatabase(
  url: string,
  folder: DataFolder,
  secrets: Secrets,
  onProgress: MoveOptions['onProgress'],
): Promise<Moved> {
  const database = await openDatabase({ url, isOperator: true, onProblem: () => {} })
  try {
    return await moveToPostgres({ folder, database, secrets, onProgress })
  } finally {
    await database.close()
  }
}

export async function assertEmpty(ask: Query): Promise<void> {
  for (const table of TABLES) {
    const rows = await ask(`SELECT 1 FROM sekisho.${table} LIMIT 1`)
    if (rows.length > 0) throw new MovingError(problemOf('target_not_empty', `sekisho.${table}`))
  }
}

/** By the name that SQLite marks rows with: issuer, project and origin. */
async function insertContexts(ask: Query, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>()
  for (const name of names) {
    const [row] = await ask(
      'INSERT INTO sekisho.contexts (issuer, project_id, origin) VALUES ($1, $2, $3) RETURNING id',
      JSON.parse(name),
    )
    ids.set(name, Number(row?.id))
  }
  return ids
}

/** Line by line as they are, with their hashes; a line that was altered is not carried on. */
async function copyTrail(
  ask: Query,
  folder: DataFolder,
  onProgress: (lines: number) => void,
): Promise<number> {
  const source = readAuditFolder(folder.audit)
  const { publicKey } = openAuditKey(folder.auditKey)
  let copied = 0
  for (const chain of await source.listChains()) {
    for await (const { lines, place, isCutShort } of source.read(chain)) {
      if (isCutShort === true) continue
      const links = lines
        .filter((line) => line.startsWith('{"seq":'))
        .map((line) => ({ ...readLink(line), line }))
      if (links.some(({ hash }) => hash === undefined))
        throw new MovingError(problemOf('altered_line', place))
      const rows = links.map(({ seq, prev, hash, line }) => [chain, seq, prev, hash, line])
      await insertRows(ask, 'audit_lines', ['chain', 'seq', 'prev', 'hash', 'line'], rows)
      copied += rows.length
      onProgress(copied)
    }
  }
  for (const signed of await source.readHeads()) {
    const note = readNote(signed, publicKey)
    if (note !== null) await insertRows(ask, 'audit_heads', ['chain', 'signed'], [[note.chain, signed]])
  }
  return copied
}
