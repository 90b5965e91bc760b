import type { SessionRow } from '../rows/session.ts'
import { MAX_ROWS, type ProofRow, type SessionProofs } from '../rows/session-store.ts'

/** Proofs that the store does not have yet; after a crash those sessions are proven once more. */
interface UnwrittenProofs {
  find(key: string): ProofRow | undefined
  add(proof: ProofRow): void
  /** Proofs of a later time than a clock that was set back become due. */
  setBack(atMs: number, dueMs: number): void
  /** Writes them, many in one transaction. */
  write(): Promise<void>
  /** The page behind `after` of sessions proven by then at the latest, the oldest proof first, with proofs that are not written yet. */
  listDue(provenByMs: number, after: DuePage['next']): Promise<DuePage>
}

/** Some of the sessions that are due. */
export interface DuePage {
  readonly due: readonly SessionRow[]
  /** Start of the next page; null behind the last one. */
  readonly next: Pick<SessionRow, 'provenAtMs' | 'key'> | null
}

export function holdProofs(store: Pick<SessionProofs, 'markProven' | 'listDue'>): UnwrittenProofs {
  const proven = new Map<string, ProofRow>() // by key
  return {
    find: (key) => proven.get(key),
    add(proof) {
      const { previousProofAtMs } = proven.get(proof.key) ?? proof
      proven.set(proof.key, { ...proof, previousProofAtMs })
    },
    setBack(atMs, dueMs) {
      for (const [key, proof] of proven) {
        if (proof.provenAtMs > atMs) proven.set(key, { ...proof, provenAtMs: dueMs })
      }
    },
    async write() {
      const all = [...proven.values()]
      for (let at = 0; at < all.length; at += MAX_ROWS) {
        const rows = all.slice(at, at + MAX_ROWS)
        await store.markProven(rows)
        for (const row of rows) if (proven.get(row.key) === row) proven.delete(row.key)
      }
    },
    async listDue(provenByMs, after) {
      // The store may have read a row just before one of these was written, and answer when it is no longer held: a refresh token
      // that a provider has replaced would be used once more, and such a provider then takes the account for stolen.
      const asked = new Map(proven)
      const page = await store.listDue(provenByMs, after)
      const due = page
        .map((row) => {
          const written = asked.get(row.key)
          const isNewer = written !== undefined && written.provenAtMs > row.provenAtMs
          const { provenAtMs, refresh, vouched } = proven.get(row.key) ?? (isNewer ? written : row)
          return { ...row, provenAtMs, refresh, vouched }
        })
        .filter(({ provenAtMs }) => provenAtMs <= provenByMs)
      return { due, next: page.length < MAX_ROWS ? null : (page.at(-1) ?? null) }
    },
  }
}
