import { type PageFeedback, readPageFeedback } from '@sekisho/contract/page-feedback'
import { createDailyFiles } from '../../storage/lines/daily-files.ts'
import type { DailyStore } from '../../storage/lines/daily-log.ts'

/** Feedback on a page of one release, without the reader's identity. */
export interface KeptFeedback extends PageFeedback {
  readonly release: string
  /** Set for an agent's: no vote, only a sentence. */
  readonly by?: 'agent'
}

/** A folder with one file a day and one entry a line. */
export function createFeedbackFiles(folder: string): DailyStore<KeptFeedback> {
  return createDailyFiles(folder, (value) => {
    if (typeof value !== 'object' || value === null || !('release' in value)) return null
    const { release, by, ...rest } = { by: undefined, ...value }
    const feedback = readPageFeedback(rest)
    return feedback === null ? null : { ...feedback, release: String(release), ...(by === 'agent' && { by }) }
  })
}
