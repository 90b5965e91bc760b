import type { Database } from '../../../storage/database/database.ts'
import { readRevocation } from '../rows/read-row.ts'
import { type ChangeListener, MAX_ROWS, type SessionChanges } from '../rows/session-store.ts'
import type { RecentWrites } from './recent-writes.ts'

/** Revocations are announced; in case that was not heard, they are looked for as often as this. */
const LOOK_MS = 5_000

/** Changes by other gates and operators, from the database's notifications. */
export function createChanges(
  database: Database,
  recent: Pick<RecentWrites, 'noteRevoked' | 'takeEndedAgain'>,
): SessionChanges {
  const elapsed = () => performance.now()
  const listeners: ChangeListener[] = []
  let lookAtMs = 0
  database.subscribe((channel, payload) => {
    lookAtMs = channel === 'sekisho_revoked' ? 0 : lookAtMs
    if (channel !== 'sekisho_ended') return
    for (const listener of listeners) listener(payload === '' ? null : payload.split(','))
  })
  return {
    maxAgeMs: 1_000,
    hears: () => database.hears(),
    subscribe: (listener) => void listeners.push(listener),
    async takeRevocations() {
      const again = recent.takeEndedAgain().map((one) => ({ ...one, by: 'fail-over' as const }))
      if (again.length > 0 || elapsed() < lookAtMs) return again
      lookAtMs = elapsed() + LOOK_MS
      const rows = await database.query(
        `DELETE FROM sekisho.revocations WHERE id IN (
           SELECT id FROM sekisho.revocations LIMIT ${MAX_ROWS}
         ) RETURNING id, email`,
      )
      if (rows.length === MAX_ROWS) lookAtMs = 0
      const revoked = rows.map(readRevocation)
      recent.noteRevoked(revoked)
      return revoked
    },
  }
}
