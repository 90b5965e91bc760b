import { type DailyLogOptions, openDailyLog } from '../../storage/lines/daily-log.ts'
import { accountKey, createRateLimit } from '../limits/rate-limit.ts'
import type { Account } from '../sessions/rows/session.ts'
import type { KeptFeedback } from './feedback-store.ts'

/** Feedback of readers and their agents on pages, limited for each account. */
export interface FeedbackLog {
  /** True where feedback is kept at all. */
  readonly keeps: boolean
  /** Zero, or after how many seconds this account may say more; nothing is kept then. */
  write(account: Account, entry: KeptFeedback): number
  flush(): Promise<void>
}

/** Many pages in one afternoon of reading, and never enough to fill a disk: 3 MB a day for each account. */
const LIMIT = { burst: 20, perSecond: 1 / 60 }

/** Opens a log that readers and agents share; nothing kept says who, or at what time of the day. */
export function openFeedbackLog(options: DailyLogOptions<KeptFeedback>): FeedbackLog {
  const { keeps, write, flush } = openDailyLog(options)
  const limit = createRateLimit({ ...LIMIT, now: options.now })
  return {
    keeps,
    write(account, entry) {
      const waitSeconds = limit.take(accountKey(account))
      if (waitSeconds === 0) write(entry)
      return waitSeconds
    },
    flush,
  }
}
