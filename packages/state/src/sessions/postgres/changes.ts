import type { Database } from '../../database/database.ts'
import { readRevocation } from '../read-row.ts'
import { type ChangeListener, MAX_ROWS, type SessionChanges } from '../session-store.ts'

/** Revocations are announced; in case that was not heard, they are looked for as often as this. */
const LOOK_MS = 5_000

/** What other gates and operators did, by the database's notifications. */
export function createChanges(database: Database): SessionChanges {
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
      if (elapsed() < lookAtMs) return []
      lookAtMs = elapsed() + LOOK_MS
      const rows = await database.query(
        `DELETE FROM sekisho.revocations WHERE id IN (
           SELECT id FROM sekisho.revocations LIMIT ${MAX_ROWS}
         ) RETURNING id, email`,
      )
      if (rows.length === MAX_ROWS) lookAtMs = 0
      return rows.map(readRevocation)
    },
  }
}
