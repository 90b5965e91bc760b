import type { PageFeedback } from '@sekisho/contract/page-feedback'
import { currentReader } from '../session/tab-session.ts'

const KEY = 'sekisho.feedback'

/** Keeps feedback that could not be sent because the session had ended, in this tab, for the same reader. */
export function keepDraft(feedback: PageFeedback): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...feedback, reader: currentReader() }))
  } catch {
    // Without storage the text is on the page alone.
  }
}

/** Takes the feedback that was kept for a page and its reader, once; null if there is none. */
export function takeDraft(page: string): PageFeedback | null {
  try {
    const kept: Partial<PageFeedback & { reader: string }> | null = JSON.parse(
      sessionStorage.getItem(KEY) ?? 'null',
    )
    if (kept === null) return null
    const { helpful, comment = '', reader } = kept
    if (kept.page !== page || reader !== currentReader()) return null
    sessionStorage.removeItem(KEY)
    return typeof helpful === 'boolean' && typeof comment === 'string' ? { page, helpful, comment } : null
  } catch {
    return null
  }
}
