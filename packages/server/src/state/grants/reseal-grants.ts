import type { GrantStore } from '../sessions/rows/grant-store.ts'
import type { ChangingSeal } from '../sessions/rows/seal.ts'
import { resealOutdated } from './grant-tokens.ts'

/**
 * Reseals, with the secret in use, grants and tokens sealed with the other one, a page at a time. Resolves to their number. Refresh tokens
 * are sealed separately and lie with their client: each successor uses the current secret.
 */
export async function resealGrants(
  store: Pick<GrantStore, 'listSealed' | 'setSeals'>,
  seal: ChangingSeal,
): Promise<number> {
  let resealed = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await store.listSealed(after)
    const outdated = resealOutdated(seal, page)
    const found = outdated.grants.length + outdated.tokens.length
    if (found > 0) await store.setSeals(outdated)
    resealed += found
    after = page.grants.at(-1)?.id
  }
  return resealed
}
