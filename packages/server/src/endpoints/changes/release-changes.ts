import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createFairSemaphore } from '../../kernel/fair-semaphore.ts'
import { pageLanguage } from '../../kernel/pages/reader-page.ts'
import type { ServedEdition } from '../../kernel/reader.ts'
import { accountKey } from '../../state/limits/index.ts'
import type { Account } from '../../state/sessions/index.ts'
import { UnavailableError } from '../../storage/unavailable-error.ts'
import type { ChangesOf, ChangesResults, ChangesTask } from './changes-worker.ts'

/** Changes of pages between kept releases of one edition. */
export interface ReleaseChanges {
  /** Throws `UnavailableError` where it takes too long, or the account asks for too much at once. */
  find<Kind extends ChangesTask['kind']>(
    served: ServedEdition,
    task: Extract<ChangesTask, { readonly kind: Kind }>,
    account: Account,
  ): Promise<ChangesResults[Kind]>
}

const WORKER = new URL('./changes-worker.ts', import.meta.url)
const MAX_MS = 20_000
/** Results that are kept of each kind. Readers of an edition share them; since when they ask differs by their last visit. */
const MAX_KEPT = { log: 16, since: 200, page: 64 } as const
/** Two manifests of the largest sites fit; a thread that needs more ends. */
const MAX_HEAP_MB = 1_024

/** Comparisons of one account that run or wait: those of a page of changes, and one for a page that is opened. */
const MAX_OF_ACCOUNT = 4

/** Compares releases in threads, one at a time. Accounts take turns. */
export function createReleaseChanges(releasesDir: string): ReleaseChanges {
  const refuse = () => new UnavailableError('unavailable', 'too many comparisons at once')
  const taking = createFairSemaphore(1, { max: MAX_OF_ACCOUNT, refuse })
  const keptOf = {
    log: new Map<string, Promise<unknown>>(),
    since: new Map<string, Promise<unknown>>(),
    page: new Map<string, Promise<unknown>>(),
  }

  return {
    async find({ releaseId, name, audiences, site }, task, account) {
      const of = { releasesDir, release: releaseId, edition: name, audiences, lang: pageLanguage(site) }
      const key = JSON.stringify([of, task])
      const kept = keptOf[task.kind]
      const known = kept.get(key) ?? taking(accountKey(account), () => runTask(of, task))
      kept.delete(key)
      kept.set(key, known)
      if (kept.size > MAX_KEPT[task.kind]) kept.delete(kept.keys().next().value ?? '')
      try {
        return (await known) as ChangesResults[typeof task.kind] // the thread answers by the kind of its task
      } catch (error) {
        kept.delete(key)
        throw error
      }
    },
  }
}

async function runTask(of: ChangesOf, task: ChangesTask): Promise<unknown> {
  const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MB }
  const worker = new Worker(WORKER, { workerData: { of, task }, resourceLimits })
  try {
    const [result] = await once(worker, 'message', { signal: AbortSignal.timeout(MAX_MS) })
    return result
  } catch (cause) {
    throw new UnavailableError('unavailable', 'releases could not be compared', { cause })
  } finally {
    await worker.terminate()
  }
}
