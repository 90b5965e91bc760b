import { FEEDBACK_PATH, MAX_COMMENT_CHARS, type PageFeedback } from '@sekisho/contract/page-feedback'
import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import type { Tools } from '../options.ts'
import { currentReader } from '../session/tab-session.ts'
import { MarkdownActions } from './MarkdownActions.tsx'
import type { ToolTexts } from './texts.ts'

type Props = {
  /** Decoded route. */
  readonly page: string
  /** Address of the page's Markdown. */
  readonly markdown: string
  readonly texts: ToolTexts
  /** Events elsewhere on the page, to be announced. */
  readonly news: string
  /** Tools enabled by the site. */
  readonly tools: Tools
}

/** The reader's tools for a text, and their feedback. */
export default function PageTools({ page, markdown, texts, news, tools }: Props): ReactNode {
  const [status, setStatus] = useState(news)
  const line = useRef<HTMLParagraphElement>(null)
  useEffect(() => setStatus(news), [news])
  if (!tools.feedback && !tools.markdown) return null
  return (
    <section className="sekisho-tools" aria-label={texts.label}>
      {tools.feedback ? (
        <Feedback page={page} texts={texts} say={setStatus} onDone={() => line.current?.focus()} />
      ) : null}
      {tools.markdown ? <MarkdownActions markdown={markdown} texts={texts} say={setStatus} /> : null}
      <p role="status" tabIndex={-1} ref={line}>
        {status}
      </p>
    </section>
  )
}

type FeedbackProps = Pick<Props, 'page' | 'texts'> & {
  readonly say: (status: string) => void
  /** The form is about to go away, with the focus in it. */
  readonly onDone: () => void
}

function Feedback({ page, texts, say, onDone }: FeedbackProps): ReactNode {
  const [kept] = useState(() => takeDraft(page))
  const [helpful, setHelpful] = useState<boolean | null>(kept?.helpful ?? null)
  const [comment, setComment] = useState(kept?.comment ?? '')
  const [isDone, setDone] = useState(false)
  if (isDone) return null
  const send = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    if (helpful === null) return
    say(texts.sending)
    const answer = await sendFeedback({ page, helpful, comment })
    say(texts[answer])
    if (answer === 'signedOut') keepDraft({ page, helpful, comment })
    if (answer === 'failed' || answer === 'signedOut') return
    onDone()
    setDone(true)
  }
  return (
    <form onSubmit={send}>
      <fieldset className="sekisho-tools__row">
        <legend>{texts.question}</legend>
        {[true, false].map((value) => (
          <button
            key={String(value)}
            type="button"
            className="button button--secondary button--sm"
            aria-pressed={helpful === value}
            onClick={() => setHelpful(value)}
          >
            {value ? texts.yes : texts.no}
          </button>
        ))}
      </fieldset>
      {helpful === null ? null : (
        <>
          <label>
            {texts.comment}
            <textarea
              rows={2}
              maxLength={MAX_COMMENT_CHARS}
              value={comment}
              onChange={({ currentTarget }) => setComment(currentTarget.value)}
            />
          </label>
          <button type="submit" className="button button--primary button--sm">
            {texts.send}
          </button>
        </>
      )}
    </form>
  )
}

/** `notAsked`: feedback is disabled. */
async function sendFeedback(feedback: PageFeedback): Promise<'thanks' | 'notAsked' | 'signedOut' | 'failed'> {
  try {
    const { ok, status } = await fetch(FEEDBACK_PATH, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(feedback),
      credentials: 'same-origin',
    })
    if (ok) return 'thanks'
    if (status === 401) return 'signedOut'
    return status === 404 || status === 405 ? 'notAsked' : 'failed'
  } catch {
    return 'failed'
  }
}

const KEY = 'sekisho.feedback'

/** Keeps feedback that could not be sent because the session had ended, in this tab, for the same reader. */
function keepDraft(feedback: PageFeedback): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...feedback, reader: currentReader() }))
  } catch {
    // Without storage the text is on the page alone.
  }
}

/** Takes the feedback that was kept for a page and its reader, once; null if there is none. */
function takeDraft(page: string): PageFeedback | null {
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
