import { chmodSync, closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Account } from '../sessions/rows/session.ts'
import { type EngineThread, startEngineThread, type ThreadOptions } from '../threads/engine-thread.ts'
import { createSqliteVisits, VISITS_SCHEMA } from '../visits/sqlite-visits.ts'
import type { VisitStore } from '../visits/visit-store.ts'
import {
  type Acknowledgement,
  type AcknowledgementKey,
  type AcknowledgementStore,
  COLUMNS,
  MAX_OF_ACCOUNT,
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
/** Records of readers: acknowledgements, and last visits. */
export interface ReaderRecords extends AcknowledgementStore {
  readonly visits: VisitStore
}

const LOCK_TIMEOUT_MS = 2_000

/** Opens the store of one machine, readable by its owner only, in this thread, which each of its calls blocks. */
export function openAcknowledgementsEngine(file: string) {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const db = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS })
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${SCHEMA} ${VISITS_SCHEMA}`)
  return {
    visits: createSqliteVisits(db),
    add: (one: Acknowledgement): boolean =>
      db
        .prepare(`INSERT OR IGNORE INTO acknowledgements (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
        .run(...valuesOf(one)).changes > 0,
    ofAccount: ({ issuer, sub }: Account): readonly Acknowledgement[] =>
      db
        .prepare('SELECT * FROM acknowledgements WHERE issuer = ? AND sub = ? ORDER BY at DESC LIMIT ?')
        .all(issuer, sub, MAX_OF_ACCOUNT)
        .map(readRow),
    list(after: AcknowledgementKey | null, limit: number): readonly Acknowledgement[] {
      const order = 'ORDER BY path, version, issuer, sub LIMIT ?'
      if (after === null) return db.prepare(`SELECT * FROM acknowledgements ${order}`).all(limit).map(readRow)
      const behind = 'WHERE (path, version, issuer, sub) > (?, ?, ?, ?)'
      return db
        .prepare(`SELECT * FROM acknowledgements ${behind} ${order}`)
        .all(after.path, after.version, after.issuer, after.sub, limit)
        .map(readRow)
    },
    close: () => db.close(),
  }
}

/** The same behind promises, for commands, where nothing else waits. */
export function openSqliteAcknowledgements(file: string): ReaderRecords {
  let opened: ReturnType<typeof openAcknowledgementsEngine> | null = null
  const engine = () => {
    opened ??= openAcknowledgementsEngine(file)
    return opened
  }
  return {
    add: async (...args) => engine().add(...args),
    ofAccount: async (...args) => engine().ofAccount(...args),
    list: async (...args) => engine().list(...args),
    visits: {
      find: async (...args) => engine().visits.find(...args),
      put: async (...args) => engine().visits.put(...args),
    },
    close: async () => opened?.close(),
  }
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
  /** Results are those of the method of the same name in the thread. */
  const ask = async <Name extends 'add' | 'ofAccount' | 'list'>(
    name: Name,
    args: Parameters<AcknowledgementStore[Name]>,
  ): Promise<Awaited<ReturnType<AcknowledgementStore[Name]>>> => {
    const thread = await start()
    return thread.call('acknowledgements', name, args) as Promise<
      Awaited<ReturnType<AcknowledgementStore[Name]>>
    >
  }
  const askVisits = async <Name extends keyof VisitStore>(
    name: Name,
    args: Parameters<VisitStore[Name]>,
  ): Promise<Awaited<ReturnType<VisitStore[Name]>>> => {
    const thread = await start()
    return thread.call('visits', name, args) as Promise<Awaited<ReturnType<VisitStore[Name]>>>
  }
  return {
    visits: {
      find: (...args) => askVisits('find', args),
      put: (...args) => askVisits('put', args),
    },
    add: (...args) => ask('add', args),
    ofAccount: (...args) => ask('ofAccount', args),
    list: (...args) => ask('list', args),
    close: async () => (await starting)?.close(),
  }
}
