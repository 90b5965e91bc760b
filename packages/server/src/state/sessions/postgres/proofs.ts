import { randomUUID } from 'node:crypto'
import type { Database, Query } from '../../../storage/database/database.ts'
import { writeVouched } from '../rows/read-row.ts'
import { SEALED_NOTHING_BYTES } from '../rows/seal.ts'
import { MAX_ROWS, PROVING_MS, type ProofRow, type SessionProofs } from '../rows/session-store.ts'
import { selectSessions } from './rows.ts'

/** A gate that was refused the lease asks for it again after this. */
const ASK_AGAIN_MS = 5_000
/** A lease that is renewed after this leaves `PROVING_MS` of it. */
const RENEW_MS = 10_000
const LEASE_SECONDS = (PROVING_MS + RENEW_MS) / 1_000

/** Proofs of accounts, and the lease of the gate that asks for them; `endProving` gives it to another at once. */
export function createProofs(
  database: Database,
  context: number | null,
  noteProofs: (rows: readonly ProofRow[]) => void,
): SessionProofs & { endProving(): Promise<void> } {
  const { query } = database
  const elapsed = () => performance.now()
  const holder = randomUUID()
  let leasedAtMs = Number.NEGATIVE_INFINITY
  let refusedAtMs = Number.NEGATIVE_INFINITY
  return {
    async markProven(rows) {
      await writeProofs(query, rows)
      noteProofs(rows)
    },
    listDue: (provenByMs, after) =>
      selectSessions(
        database,
        `WHERE context = $1 AND parent IS NULL AND length(refresh) > ${SEALED_NOTHING_BYTES} AND proven_at <= $2 AND (proven_at, key) > ($3, $4)
         ORDER BY proven_at, key LIMIT ${MAX_ROWS}`,
        [context, provenByMs, after?.provenAtMs ?? Number.MIN_SAFE_INTEGER, after?.key ?? ''],
      ),
    async holdProving() {
      const askedAtMs = elapsed()
      if (askedAtMs < leasedAtMs + RENEW_MS) return true
      if (askedAtMs < refusedAtMs + ASK_AGAIN_MS) return false
      const taken = await query(
        `INSERT INTO sekisho.leases AS lease VALUES ($1, 'proving', $2, now() + make_interval(secs => $3))
         ON CONFLICT (context, name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
         WHERE lease.holder = excluded.holder OR lease.expires_at < now()
         RETURNING 1`,
        [context, holder, LEASE_SECONDS],
      )
      leasedAtMs = taken.length > 0 ? askedAtMs : Number.NEGATIVE_INFINITY
      refusedAtMs = taken.length > 0 ? Number.NEGATIVE_INFINITY : askedAtMs
      return taken.length > 0
    },
    async endProving() {
      if (leasedAtMs === Number.NEGATIVE_INFINITY) return
      await query('DELETE FROM sekisho.leases WHERE holder = $1', [holder]).catch(() => {}) // it ends by itself
    },
  }
}

/** Writes proofs, each over the one that it follows and over no other. */
export async function writeProofs(ask: Query, rows: readonly ProofRow[]): Promise<void> {
  await ask(
    `UPDATE sekisho.sessions SET proven_at = proof.at, refresh = proof.refresh, vouched = proof.vouched
     FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bytea[], $5::text[])
       AS proof (key, previous, at, refresh, vouched)
     WHERE sessions.key = proof.key AND proven_at = proof.previous`,
    [
      rows.map(({ key }) => key),
      rows.map(({ previousProofAtMs }) => previousProofAtMs),
      rows.map(({ provenAtMs }) => provenAtMs),
      rows.map(({ refresh }) => Buffer.from(refresh)),
      rows.map(({ vouched }) => writeVouched(vouched)),
    ],
  )
}
