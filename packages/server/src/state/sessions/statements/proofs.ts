import { hexOf, rowsOf, type Sql, type Statement } from '../../sql/sql.ts'
import { readSessionRow, SESSION_COLUMNS, writeVouched } from '../rows/read-row.ts'
import { SEALED_NOTHING_BYTES } from '../rows/seal.ts'
import { MAX_ROWS, type ProofRow, type SessionProofs } from '../rows/session-store.ts'

/** Writes proofs, each over the one that it follows and over no other. */
export const proofsToWrite = (rows: readonly ProofRow[]): Statement => [
  `UPDATE sekisho.sessions SET proven_at = (value::json ->> 2)::bigint, refresh = decode(value::json ->> 3, 'hex'),
     vouched = value::json ->> 4
   FROM unnest($1::text[]) WITH ORDINALITY AS proof (value, key)
   WHERE sessions.key = value::json ->> 0 AND proven_at = (value::json ->> 1)::bigint`,
  [
    rowsOf(
      rows.map(({ key, previousProofAtMs, provenAtMs, refresh, vouched }) => {
        return [key, previousProofAtMs, provenAtMs, hexOf(refresh), writeVouched(vouched)]
      }),
    ),
  ],
]

/** Proofs of accounts in either database. */
export function createProofs(
  { query, together }: Sql,
  context: number | string | null,
  onProven: (rows: readonly ProofRow[]) => void = () => {},
): Omit<SessionProofs, 'holdProving'> {
  return {
    async markProven(rows) {
      await together([proofsToWrite(rows)], true)
      onProven(rows)
    },
    async listDue(provenByMs, after) {
      const rows = await query(
        `SELECT ${SESSION_COLUMNS} FROM sekisho.sessions
         WHERE context = $1 AND parent IS NULL AND length(refresh) > ${SEALED_NOTHING_BYTES} AND proven_at <= $2 AND (proven_at, key) > ($3, $4)
         ORDER BY proven_at, key LIMIT ${MAX_ROWS}`,
        [context, provenByMs, after?.provenAtMs ?? Number.MIN_SAFE_INTEGER, after?.key ?? ''],
      )
      return rows.map(readSessionRow)
    },
  }
}
