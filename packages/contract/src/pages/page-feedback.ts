/** By itself: only the tools of a page ask here, and what every page carries should not name it. */
export const FEEDBACK_PATH = '/__gate/feedback'

/** `POST` to `FEEDBACK_PATH`: whether a page helped its reader. */
export interface PageFeedback {
  /** Route of the page. */
  readonly page: string
  readonly helpful: boolean
  /** A sentence, if the reader wrote one; trimmed. */
  readonly comment?: string
}

/** Longest comment, in UTF-16 units; the field takes no more. */
export const MAX_COMMENT_CHARS = 500

const KEYS: ReadonlySet<string> = new Set<keyof PageFeedback>(['page', 'helpful', 'comment'])

/** Reads a page's feedback and nothing else; null for anything that is none. An empty comment is none. */
export function readPageFeedback(value: unknown): PageFeedback | null {
  if (typeof value !== 'object' || value === null || !('page' in value && 'helpful' in value)) return null
  const { page, helpful } = value
  const comment = 'comment' in value ? value.comment : ''
  if (!Object.keys(value).every((key) => KEYS.has(key))) return null
  if (typeof page !== 'string' || typeof helpful !== 'boolean') return null
  if (typeof comment !== 'string' || comment.length > MAX_COMMENT_CHARS) return null
  const sentence = comment.trim()
  return { page, helpful, ...(sentence === '' ? {} : { comment: sentence }) }
}
