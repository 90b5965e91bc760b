import type { Log } from '../kernel/monitoring/log.ts'
import { resealGrants } from '../state/grants/index.ts'
import { SecretError, type SecretInUse } from '../state/secrets/index.ts'
import { type ChangingSeal, resealSessions, type SessionStore } from '../state/sessions/index.ts'
import type { Stores } from '../state/stores/open-stores.ts'

interface SecretWatchOptions {
  readonly agreeOnSecret: Stores['agreeOnSecret']
  readonly hasPreviousSecret: boolean
  readonly seal: ChangingSeal
  readonly store: Pick<SessionStore, 'operators' | 'proofs' | 'grants'>
  readonly log: Log
}

/** Another gate may have closed with the secret before until it looked, too: so many looks in a row find nothing. */
const QUIET_LOOKS = 3

/**
 * Follows the secret that gates agree on, and reseals sessions and agents' grants with it; logs when the old one is no longer needed. A
 * gate without the secret in use refuses all: each reader would seem a stranger.
 */
export function createSecretWatch(options: SecretWatchOptions): () => Promise<void> {
  const { agreeOnSecret, hasPreviousSecret, seal, store, log } = options
  let known: SecretInUse | null = null
  let quietLooks = 0
  return async () => {
    const inUse = await agreeOnSecret().catch((error) => {
      if (error instanceof SecretError) seal.use(null)
      throw error
    })
    seal.use(inUse)
    if (hasPreviousSecret && inUse !== known) log('info', 'secret_in_use', { secret: inUse })
    known = inUse
    if (!hasPreviousSecret || inUse === 'previous' || quietLooks === QUIET_LOOKS) return
    if (!(await store.proofs.holdProving())) return
    const resealed = (await resealSessions(store, seal)) + (await resealGrants(store.grants, seal))
    quietLooks = resealed === 0 ? quietLooks + 1 : 0
    if (quietLooks === QUIET_LOOKS)
      log('info', 'previous_secret_unused', { advice: 'SEKISHO_SECRET_PREVIOUS_FILE can be removed' })
  }
}
