import type { SessionContext } from '../sessions/rows/session-store.ts'
import { connectSqlite } from '../sessions/sqlite/connection.ts'
import { fingerprintsOf, type SecretRecord, type Secrets, secretInUse } from './secrets.ts'

const LOCK_TIMEOUT_MS = 5_000

/** Looks in the sessions of one machine, where one gate runs at a time: a newer secret takes over at once. */
export function openSqliteSecret(file: string, context: SessionContext, secrets: Secrets): SecretRecord {
  const connection = connectSqlite(file, { context, lockTimeoutMs: LOCK_TIMEOUT_MS })
  try {
    const { db, context: owner, transaction } = connection
    const inUse = transaction(() => {
      const [newest = ''] = fingerprintsOf(secrets)
      db.prepare('INSERT OR IGNORE INTO secrets (context, fingerprint) VALUES (?, ?)').run(owner, newest)
      const row = db.prepare('SELECT fingerprint FROM secrets WHERE context = ?').get(owner)
      secretInUse(String(row?.fingerprint), secrets)
      db.prepare('UPDATE secrets SET fingerprint = ? WHERE context = ?').run(newest, owner)
      return 'current' as const
    })
    return { agree: async () => inUse }
  } finally {
    connection.db.close()
  }
}
