import { resealRow } from './genuine-rows.ts'
import type { ChangingSeal } from './seal.ts'
import type { ProofRow, SessionOperators, SessionProofs } from './session-store.ts'

/**
 * Seals again, with the secret in use, what was sealed with the other one, a page at a time; a session that is proven meanwhile is sealed
 * by that. Resolves to how many there were.
 */
export async function resealSessions(
  store: {
    readonly operators: Pick<SessionOperators, 'list'>
    readonly proofs: Pick<SessionProofs, 'markProven'>
  },
  seal: ChangingSeal,
): Promise<number> {
  let resealed = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await store.operators.list(after)
    const rows: ProofRow[] = page.flatMap((row) => {
      const refresh = resealRow(seal, row)
      return refresh === null ? [] : [{ ...row, refresh, previousProofAtMs: row.provenAtMs }]
    })
    if (rows.length > 0) await store.proofs.markProven(rows)
    resealed += rows.length
    after = page.at(-1)?.key
  }
  return resealed
}
