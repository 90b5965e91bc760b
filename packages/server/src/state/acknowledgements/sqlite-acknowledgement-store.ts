import { chmodSync, closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { NoticeStore } from '../notices/notice-store.ts'
import { createSqliteNotices, NOTICES_SCHEMA } from '../notices/sqlite-notices.ts'
import type { ReadershipStore } from '../readership/readership-store.ts'
import { createSqliteReadership, READERSHIP_SCHEMA } from '../readership/sqlite-readership.ts'
import type { Account } from '../sessions/rows/session.ts'
import { runCall } from '../threads/engine.ts'
import { type EngineThread, startEngineThread, type ThreadOptions } from '../threads/engine-thread.ts'
import { createSqliteVisits, VISITS_SCHEMA } from '../visits/sqlite-visits.ts'
import type { VisitStore } from '../visits/visit-store.ts'
import {
  type Acknowledgement,
  type AcknowledgementKey,
  type AcknowledgementStore,
  COLUMNS,
  type Comparison,
  MAX_OF_ACCOUNT,
  MAX_REVIEWS,
  REVIEW_VERSIONS,
  readRow,
  valuesOf,
} from './acknowledgement-store.ts'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS acknowledgements (
    path TEXT NOT NULL, version TEXT NOT NULL, issuer TEXT NOT NULL, sub TEXT NOT NULL, email TEXT NOT NULL,
    page TEXT NOT NULL, text TEXT NOT NULL, release TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (path, version, issuer, sub)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS acknowledgements_of_account ON acknowledgements (issuer, sub, at);
`
/** Records of readers in one file: acknowledgements, last visits, notices, and readers of pages. */
interface ReaderRecords extends AcknowledgementStore {
  readonly visits: VisitStore
  readonly notices: NoticeStore
  readonly readership: ReadershipStore
}

const LOCK_TIMEOUT_MS = 2_000

/** Opens the store of one machine, readable by its owner only, in this thread, which each of its calls blocks. */
export function openRecordsEngine(file: string) {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const db = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS })
  db.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${SCHEMA} ${VISITS_SCHEMA} ${NOTICES_SCHEMA} ${READERSHIP_SCHEMA}`,
  )
  const acknowledgements = {
    add: (one: Acknowledgement): boolean =>
      db
        .prepare(`INSERT OR IGNORE INTO acknowledgements (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
        .run(...valuesOf(one)).changes > 0,
    ofAccount: ({ issuer, sub }: Account): readonly Acknowledgement[] =>
      db
        .prepare('SELECT * FROM acknowledgements WHERE issuer = ? AND sub = ? ORDER BY at DESC LIMIT ?')
        .all(issuer, sub, MAX_OF_ACCOUNT)
        .map(readRow),
    reviews(paths: readonly string[]): readonly Acknowledgement[] {
      const find = db.prepare(
        'SELECT * FROM acknowledgements WHERE path = ? AND version >= ? AND version < ? ORDER BY version DESC LIMIT ?',
      )
      return paths.flatMap((path) => find.all(path, ...REVIEW_VERSIONS, MAX_REVIEWS).map(readRow))
    },
    compare(
      { path, version }: Pick<Acknowledgement, 'path' | 'version'>,
      emails: readonly string[],
    ): Comparison {
      const of = 'FROM acknowledgements WHERE path = ? AND version = ?'
      const missing = db
        .prepare(`SELECT value FROM json_each(?) WHERE value NOT IN (SELECT lower(email) ${of}) ORDER BY key`)
        .all(JSON.stringify(emails), path, version)
      const counted = db.prepare(`SELECT count(*) AS done ${of}`).get(path, version)
      return { done: Number(counted?.done), missing: missing.map(({ value }) => String(value)) }
    },
    list(after: AcknowledgementKey | null, limit: number): readonly Acknowledgement[] {
      const order = 'ORDER BY path, version, issuer, sub LIMIT ?'
      if (after === null) return db.prepare(`SELECT * FROM acknowledgements ${order}`).all(limit).map(readRow)
      const behind = 'WHERE (path, version, issuer, sub) > (?, ?, ?, ?)'
      return db
        .prepare(`SELECT * FROM acknowledgements ${behind} ${order}`)
        .all(after.path, after.version, after.issuer, after.sub, limit)
        .map(readRow)
    },
  }
  const parts = {
    acknowledgements,
    visits: createSqliteVisits(db),
    notices: createSqliteNotices(db),
    readership: createSqliteReadership(db),
  }
  return { parts, close: () => db.close() }
}

type Call = (part: string, method: string, args: readonly unknown[]) => Promise<unknown>

/** The stores over a call of an engine's method, which has the types of the store's. */
function recordsOver(call: Call, close: () => Promise<void>): ReaderRecords {
  const store = (part: string, methods: readonly string[]) =>
    Object.fromEntries(methods.map((name) => [name, (...args: readonly unknown[]) => call(part, name, args)]))
  return {
    ...store('acknowledgements', ['add', 'ofAccount', 'reviews', 'compare', 'list']),
    visits: store('visits', ['find', 'put']),
    notices: store('notices', ['add', 'claim', 'settle', 'count', 'findWatch', 'putWatch', 'listWatches']),
    readership: store('readership', ['note', 'closeWeeks', 'ofPages', 'firstWeek']),
    close,
  } as unknown as ReaderRecords
}

/** The same behind promises, for commands, where nothing else waits. */
export function openSqliteAcknowledgements(file: string): ReaderRecords {
  let opened: ReturnType<typeof openRecordsEngine> | null = null
  const call: Call = async (part, method, args) => {
    opened ??= openRecordsEngine(file)
    return runCall(opened.parts, { part, method, args })
  }
  return recordsOver(call, async () => opened?.close())
}

/**
 * Opens the store of one machine in a thread of its own, so that no request waits for a disk. The thread starts with the first call.
 */
export function openSqliteAcknowledgementsInThread(file: string, options: ThreadOptions = {}): ReaderRecords {
  let starting: Promise<EngineThread> | null = null
  const start = () => {
    starting ??= startEngineThread({ kind: 'acknowledgements', file }, options)
    starting.catch(() => {
      starting = null // the next call tries again
    })
    return starting
  }
  const call: Call = async (...asked) => (await start()).call(...asked)
  return recordsOver(call, async () => (await starting)?.close())
}
