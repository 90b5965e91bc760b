import { readRevocation, readSessionRow } from '../read-row.ts'
import type { RevocationFilter, SessionOperators } from '../session-store.ts'
import type { Blocking, SqliteConnection } from './connection.ts'

/** What operators' commands do beside a running gate. */
export function createOperators({ db, context, transaction }: SqliteConnection): Blocking<SessionOperators> {
  return {
    list: () =>
      db.prepare("SELECT * FROM sessions WHERE ?1 = '' OR context = ?1").all(context).map(readSessionRow),
    revoke: (filter, atMs) =>
      transaction(() => {
        const [condition, value] = conditionOf(filter)
        db.prepare(
          `INSERT OR IGNORE INTO session_ends SELECT key, 'revoked', ${Math.trunc(atMs)} FROM sessions WHERE ${condition}`,
        ).run(value)
        const ended = db
          .prepare(`DELETE FROM sessions WHERE ${condition} RETURNING id, email`)
          .all(value)
          .map(readRevocation)
        const note = db.prepare('INSERT OR IGNORE INTO revocations VALUES (?, ?)')
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
