import { readFileSync } from 'node:fs'
import { readPageFeedback } from '@sekisho/contract/page-feedback'
import { listDailyFiles } from '../observability/daily-log.ts'

/** What readers said of one page, over all its releases. */
export interface PageOpinion {
  readonly page: string
  readonly helpful: number
  readonly unhelpful: number
  /** Oldest first. */
  readonly comments: readonly {
    /** YYYY-MM-DD, UTC. */
    readonly day: string
    readonly release: string
    readonly helpful: boolean
    readonly comment: string
  }[]
}

type Opinion = { -readonly [K in keyof PageOpinion]: PageOpinion[K] }

/** Reads what was kept in the last so many days; the page that helped least comes first. Lines cut short by a crash are passed over. */
export function readFeedbackReport(folder: string, days: number, nowMs: number): PageOpinion[] {
  const pages = new Map<string, Opinion>()
  for (const file of listDailyFiles(folder, days, nowMs)) {
    const day = file.slice(-'YYYY-MM-DD.jsonl'.length, -'.jsonl'.length)
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const record = readRecord(line)
      if (record === null) continue
      const { page, helpful, comment, release } = record
      const opinion = pages.get(page) ?? { page, helpful: 0, unhelpful: 0, comments: [] }
      pages.set(page, opinion)
      opinion[helpful ? 'helpful' : 'unhelpful'] += 1
      if (comment !== undefined) opinion.comments = [...opinion.comments, { day, release, helpful, comment }]
    }
  }
  return [...pages.values()].sort(
    (a, b) => b.unhelpful - a.unhelpful || b.helpful - a.helpful || (a.page < b.page ? -1 : 1),
  )
}

function readRecord(line: string) {
  try {
    const { release, ...rest } = JSON.parse(line)
    const feedback = readPageFeedback(rest)
    return feedback === null ? null : { ...feedback, release: String(release) }
  } catch {
    return null
  }
}
