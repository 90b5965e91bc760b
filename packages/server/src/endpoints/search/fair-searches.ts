import { createFairSemaphore } from '../../kernel/fair-semaphore.ts'
import { accountKey } from '../../state/limits/index.ts'
import type { Session } from '../../state/sessions/index.ts'
import { UnavailableError } from '../../storage/unavailable-error.ts'
import type { SearchRunner } from './search-runner.ts'
import type { SearchFound } from './search-worker.ts'

/** The search as requests use it: accounts take turns, whatever sessions or tokens they search with. */
export interface FairSearches {
  /** Throws `UnavailableError` as the runner does, and for too many searches of one account at once. */
  run(account: Pick<Session, 'issuer' | 'sub'>, job: Parameters<SearchRunner['run']>[0]): Promise<SearchFound>
}

/** One that runs, and one that is there when it ends: the next account waits for no more. */
const AT_ONCE = 2
/** Searches of one account that run or wait: more than its browsers and agents need, which ask several indexes for one question. */
const MAX_OF_ACCOUNT = 64

/** Shares a runner between accounts. */
export function createFairSearches(runner: Pick<SearchRunner, 'run'>): FairSearches {
  const refuse = () => new UnavailableError('search_unavailable', 'too many searches at once')
  const turns = createFairSemaphore(AT_ONCE, { max: MAX_OF_ACCOUNT, refuse })
  return { run: (account, job) => turns(accountKey(account), () => runner.run(job)) }
}
