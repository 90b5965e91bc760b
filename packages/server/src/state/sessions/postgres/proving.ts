import { randomUUID } from 'node:crypto'
import type { Database } from '../../../storage/database/database.ts'
import { PROVING_MS, type SessionProofs } from '../rows/session-store.ts'

/** A gate that was refused the lease asks for it again after this. */
const ASK_AGAIN_MS = 5_000
/** A lease that is renewed after this leaves `PROVING_MS` of it. */
const RENEW_MS = 10_000
const LEASE_SECONDS = (PROVING_MS + RENEW_MS) / 1_000

/** The lease of the gate that proves accounts; `endProving` gives it to another at once. */
export function createProving(
  { query }: Pick<Database, 'query'>,
  context: number | null,
): Pick<SessionProofs, 'holdProving'> & { endProving(): Promise<void> } {
  const elapsed = () => performance.now()
  const holder = randomUUID()
  let leasedAtMs = Number.NEGATIVE_INFINITY
  let refusedAtMs = Number.NEGATIVE_INFINITY
  return {
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
