import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { DatabaseSync } from 'node:sqlite'
import type { DataFolder } from '../../storage/data-folder.ts'
import { problemOf } from '../../storage/texts/index.ts'
import { readSearchLine } from '../search-log/file-search-log.ts'
import { fingerprintsOf, SecretError, type Secrets, secretInUse } from '../secrets/secrets.ts'
import { connectSqlite } from '../sessions/sqlite/connection.ts'
import type { SourceTable } from './copy-rows.ts'

/** Contents of a data folder for a database. */
export interface Sources extends Disposable {
  /** Names of the contexts whose rows the secrets open. */
  readonly contexts: readonly string[]
  readonly tables: readonly SourceTable[]
}

const LOCK_TIMEOUT_MS = 5_000

/** In an order in which each row finds those that it refers to; what hangs on sessions of another secret stays. */
function ofSessions(secrets: Secrets): readonly (readonly [table: string, rest: string])[] {
  const known = fingerprintsOf(secrets).map((fingerprint) => `'${fingerprint}'`)
  const own = `SELECT key FROM sessions WHERE context IN (SELECT context FROM secrets WHERE fingerprint IN (${known}))`
  return [
    ['sessions', ' ORDER BY parent IS NOT NULL'],
    ['accounts', ''],
    ['session_ends', ''],
    ['spent_tokens', ''],
    ['revocations', ''],
    ['grants', ` WHERE session IN (${own})`],
    ['grant_tokens', ` WHERE grant_id IN (SELECT id FROM grants WHERE session IN (${own}))`],
    ['agent_clients', ''],
  ]
}

/** Files of earlier versions lack tables. */
const hasTable = (db: DatabaseSync, name: string): boolean =>
  db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined

/** Opens the databases of a folder. Throws `SecretError` when its sessions are sealed with another secret. */
export function openSources(folder: DataFolder, secrets: Secrets): Sources {
  const { db } = connectSqlite(folder.sessions, { context: null, lockTimeoutMs: LOCK_TIMEOUT_MS })
  const publishers = existsSync(folder.publishers) ? new DatabaseSync(folder.publishers) : null
  const acknowledgements = existsSync(folder.acknowledgements)
    ? new DatabaseSync(folder.acknowledgements)
    : null
  const close = () => {
    db.close()
    publishers?.close()
    acknowledgements?.close()
  }
  try {
    const contexts = findContexts(db, secrets)
    return {
      contexts,
      tables: [
        ...ofSessions(secrets).map(([name, rest]) => tableOf(db, name, name, rest)),
        ...(publishers === null ? [] : [tableOf(publishers, 'tokens', 'publish_tokens', '')]),
        ...(acknowledgements === null
          ? []
          : ['acknowledgements', 'visits', 'notices', 'watches', 'page_readers', 'page_weeks']
              .filter((name) => hasTable(acknowledgements, name))
              .map((name) => tableOf(acknowledgements, name, name, ''))),
        ...contexts.slice(0, 1).map((context) => searchTable(folder.searchLog, context)),
      ],
      [Symbol.dispose]: close,
    }
  } catch (error) {
    close()
    throw error
  }
}

/** Portals whose secret is known; a folder where it is that of none is another's. */
function findContexts(db: DatabaseSync, secrets: Secrets): readonly string[] {
  const rows = db.prepare('SELECT context, fingerprint FROM secrets ORDER BY context').all()
  const known = fingerprintsOf(secrets)
  const own = rows.filter(({ fingerprint }) => known.includes(String(fingerprint)))
  const [first] = rows
  if (first === undefined) throw new SecretError(problemOf('no_secret_yet'))
  if (own.length === 0) secretInUse(String(first.fingerprint), secrets)
  return own.map(({ context }) => String(context))
}

function tableOf(db: DatabaseSync, from: string, name: string, rest: string): SourceTable {
  const statement = db.prepare(`SELECT * FROM ${from}${rest}`)
  const columns = statement.columns().map((column) => column.name)
  return {
    name,
    columns,
    *read() {
      for (const row of statement.iterate()) yield columns.map((column) => row[column])
    },
  }
}

/** The search log has no context in files: it is that of the first portal. */
function searchTable(folder: string, context: string): SourceTable {
  return {
    name: 'search_log',
    columns: ['context', 'day', 'q', 'hits', 'rank', 'page', 'after', 'by_agent', 'edition', 'reader'],
    async *read() {
      const days = existsSync(folder) ? readdirSync(folder).sort() : []
      for (const name of days) {
        const [, day] = /^(\d{4}-\d\d-\d\d)\.jsonl$/.exec(name) ?? []
        if (day === undefined) continue
        for await (const line of createInterface(createReadStream(join(folder, name)))) {
          const record = readSearchLine(line)
          if (record === null) continue
          const {
            q,
            hits = null,
            rank = null,
            page = null,
            after = null,
            by = null,
            edition = '',
            reader = '',
          } = { ...EMPTY, ...record }
          const plain = (text: string | null) => text?.replaceAll('\0', '') ?? null
          yield [
            context,
            day,
            plain(q),
            hits,
            rank,
            plain(page),
            plain(after),
            by === 'agent',
            edition,
            reader,
          ]
        }
      }
    },
  }
}

interface AnySearch {
  readonly q?: string
  readonly hits?: number
  readonly rank?: number
  readonly page?: string
  readonly after?: string
  readonly by?: string
  readonly edition?: string
  readonly reader?: string
}
const EMPTY: AnySearch & { readonly q: string } = { q: '' }
