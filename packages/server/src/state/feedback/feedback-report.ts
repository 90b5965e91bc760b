import { type DailyStore, firstDayOf } from '../../storage/lines/daily-log.ts'
import type { KeptFeedback } from './feedback-store.ts'

/** Feedback on one page, over all its releases. */
export interface PageReport {
  readonly page: string
  readonly helpful: number
  readonly unhelpful: number
  /** Opinions with a sentence, oldest first. */
  readonly comments: readonly KeptFeedback[]
}

/** Reads what was kept in the last so many days; the page that helped least comes first. */
export async function readFeedbackReport(
  store: Pick<DailyStore<KeptFeedback>, 'read'>,
  days: number,
  nowMs: number,
): Promise<PageReport[]> {
  const pages = new Map<string, KeptFeedback[]>()
  for await (const entry of store.read(firstDayOf(days, nowMs))) {
    const known = pages.get(entry.page)
    if (known === undefined) pages.set(entry.page, [entry])
    else known.push(entry)
  }
  return [...pages]
    .map(([page, entries]) => {
      const votes = entries.filter(({ by }) => by === undefined)
      const helpful = votes.filter((entry) => entry.helpful).length
      const comments = entries.filter(({ comment }) => comment !== undefined)
      return { page, helpful, unhelpful: votes.length - helpful, comments }
    })
    .sort((a, b) => b.unhelpful - a.unhelpful || b.helpful - a.helpful || (a.page < b.page ? -1 : 1))
}
