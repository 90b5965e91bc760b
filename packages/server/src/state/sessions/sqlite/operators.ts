import type { Blocking } from '../../threads/engine.ts'
import { readPlace, readRevocation, readSessionRow } from '../rows/read-row.ts'
import {
  FIRST_PLACE,
  MAX_PLACES,
  MAX_ROWS,
  type RevocationFilter,
  type SessionOperators,
} from '../rows/session-store.ts'
import type { SqliteConnection } from './connection.ts'

/** Operations of commands beside a running gate. */
export function createOperators({ db, context, transaction }: SqliteConnection): Blocking<SessionOperators> {
  const selectPage = db.prepare(
    `SELECT * FROM sessions WHERE (?1 = '' OR context = ?1) AND key > ?2 ORDER BY key LIMIT ${MAX_ROWS}`,
  )
  const selectPlaces = db.prepare(
    `SELECT email, started_at, key FROM sessions
     WHERE (?1 = '' OR context = ?1) AND (email, started_at, key) > (?2, ?3, ?4)
     ORDER BY email, started_at, key LIMIT ${MAX_PLACES}`,
  )
  const pick = db.prepare(
    `SELECT sessions.* FROM json_each(?2) AS wanted JOIN sessions ON sessions.key = wanted.value
     WHERE (?1 = '' OR context = ?1) ORDER BY wanted.id`,
  )
  const deleteSession = db.prepare('DELETE FROM sessions WHERE key = ?')
  const insertReason = db.prepare(
    "INSERT OR IGNORE INTO session_ends (key, reason, ended_at) VALUES (?, 'revoked', ?)",
  )
  const note = db.prepare('INSERT OR IGNORE INTO revocations (id, email) VALUES (?, ?)')
  return {
    list: (afterKey = '') => selectPage.all(context, afterKey).map(readSessionRow),
    listPlaces: ({ email, startedAtMs, key } = FIRST_PLACE) =>
      selectPlaces.all(context, email, startedAtMs, key).map(readPlace),
    pick: (keys) => pick.all(context, JSON.stringify(keys)).map(readSessionRow),
    revoke: (filter, atMs) =>
      transaction(() => {
        const [condition, value] = conditionOf(filter)
        const rows = db
          .prepare(`SELECT key, id, email FROM sessions WHERE ${condition} LIMIT ${MAX_ROWS}`)
          .all(value)
        const ended = rows.map(readRevocation)
        for (const { key } of rows) {
          insertReason.run(String(key), Math.trunc(atMs))
          deleteSession.run(String(key))
        }
        for (const { id, email } of ended) note.run(id, email)
        return ended
      }),
    unbind: (email) =>
      db.prepare('DELETE FROM accounts WHERE email = ?').run(email.toLowerCase()).changes > 0,
  }
}

function conditionOf(filter: RevocationFilter): readonly [condition: string, value: string] {
  if ('id' in filter) return ['id = ?', filter.id]
  if ('email' in filter) return ['lower(email) = ?', filter.email.toLowerCase()]
  return ["'' = ?", '']
}
