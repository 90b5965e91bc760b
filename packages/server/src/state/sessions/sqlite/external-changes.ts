import { readRevocation } from '../rows/read-row.ts'
import { MAX_ROWS } from '../rows/session-store.ts'
import type { Look, SqliteConnection } from './connection.ts'

/** Looks for what other processes wrote: SQLite counts their commits, and operators leave what they revoked. */
export function createExternalChanges({ db, assertInPlace }: SqliteConnection): () => Look {
  const version = db.prepare('PRAGMA data_version')
  const someRevocation = db.prepare('SELECT 1 FROM revocations LIMIT 1')
  const takeRevocations = db.prepare(
    `DELETE FROM revocations WHERE id IN (SELECT id FROM revocations LIMIT ${MAX_ROWS}) RETURNING id, email`,
  )
  let knownVersion: unknown // none at first: what was written before this look may be unknown to whoever asks
  return () => {
    assertInPlace()
    const found = version.get()?.data_version
    const revoked = someRevocation.get() === undefined ? [] : takeRevocations.all().map(readRevocation)
    const isChanged = found !== knownVersion
    knownVersion = found
    return { isChanged, revoked }
  }
}
