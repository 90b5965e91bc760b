import { setImmediate } from 'node:timers/promises'
import type { SessionRow } from './session.ts'
import { MAX_ROWS, type ProofRow, type SessionProofs } from './session-store.ts'

/** Proofs that the store does not have yet; after a crash those sessions are proven once more. */
export interface UnwrittenProofs {
  find(key: string): ProofRow | undefined
  add(proof: ProofRow): void
  /** Proofs of a later time than a clock that was set back become due. */
  setBack(atMs: number, dueMs: number): void
  /** Writes them in one transaction. */
  write(): Promise<void>
  /** Sessions proven by then at the latest, the oldest proof first, with proofs that are not written yet. */
  listDue(provenByMs: number): Promise<readonly SessionRow[]>
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
      if (proven.size === 0) return
      const rows = [...proven.values()]
      await store.markProven(rows)
      for (const row of rows) if (proven.get(row.key) === row) proven.delete(row.key)
    },
    async listDue(provenByMs) {
      const due: SessionRow[] = []
      for (let last: SessionRow | null = null; ; ) {
        const page: readonly SessionRow[] = await store.listDue(provenByMs, last)
        for (const row of page) {
          const { provenAtMs, refresh, vouched } = proven.get(row.key) ?? row
          if (provenAtMs <= provenByMs) due.push({ ...row, provenAtMs, refresh, vouched })
        }
        last = page.at(-1) ?? null
        if (last === null || page.length < MAX_ROWS) return due
        await setImmediate() // requests come between
      }
    },
  }
}
