import { readPageFeedback } from '@sekisho/contract/page-feedback'
import { ROUTES } from '@sekisho/contract/routes'
import { readJsonBody } from '../../kernel/json-body.ts'
import { problem, tooManyRequests } from '../../kernel/pages/problem.ts'
import { type ReaderHandler, type RouteTable, readerRoute } from '../../kernel/route-table.ts'
import type { FeedbackLog } from '../../state/feedback/index.ts'

export interface FeedbackOptions {
  /** Log of feedback; where none is kept, pages show no form either. */
  readonly feedbackLog: FeedbackLog
}

/** Keeps what readers think of pages, by page and release; nothing kept says who, or at what time of the day. */
export function createFeedbackRoutes({ feedbackLog: log }: FeedbackOptions): RouteTable {
  if (!log.keeps) return new Map()

  const keep: ReaderHandler = async (request, { served, account }) => {
    const body = await readJsonBody(request, ROUTES.feedback.maxBodyBytes)
    if (body.kind !== 'read') return problem(body.kind === 'too_large' ? 'too_large' : 'bad_request')
    const feedback = readPageFeedback(body.value)
    if (feedback === null || served?.edition.files.get(feedback.page)?.delivery !== 'page')
      return problem('bad_request')
    const waitSeconds = log.write(account, { ...feedback, release: served.releaseId })
    return waitSeconds > 0 ? tooManyRequests(waitSeconds) : new Response(null, { status: 204 })
  }

  return new Map([readerRoute(ROUTES.feedback, { POST: keep })])
}
