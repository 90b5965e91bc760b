import type { Blocking } from '../../threads/engine.ts'
import { readSessionRow, writeVouched } from '../rows/read-row.ts'
import { SEALED_NOTHING_BYTES } from '../rows/seal.ts'
import { MAX_ROWS, type SessionProofs } from '../rows/session-store.ts'
import type { SqliteConnection } from './connection.ts'

/** Proofs of accounts; which gate asks for them needs no word, because the data folder's lock lets in one. */
export function createProofs({
  db,
  context,
  lazyTransaction,
}: SqliteConnection): Blocking<Omit<SessionProofs, 'holdProving'>> {
  const update = db.prepare(
    'UPDATE sessions SET proven_at = ?, refresh = ?, vouched = ? WHERE key = ? AND proven_at = ?',
  )
  const selectDue = db.prepare(
    `SELECT * FROM sessions WHERE context = ? AND parent IS NULL AND length(refresh) > ${SEALED_NOTHING_BYTES} AND proven_at <= ? AND (proven_at, key) > (?, ?)
     ORDER BY proven_at, key LIMIT ${MAX_ROWS}`,
  )
  return {
    markProven: (rows) =>
      lazyTransaction(() => {
        for (const { provenAtMs, refresh, vouched, key, previousProofAtMs } of rows)
          update.run(provenAtMs, refresh, writeVouched(vouched), key, previousProofAtMs)
      }),
    listDue: (provenByMs, after) =>
      selectDue
        .all(context, provenByMs, after?.provenAtMs ?? Number.MIN_SAFE_INTEGER, after?.key ?? '')
        .map(readSessionRow),
  }
}
