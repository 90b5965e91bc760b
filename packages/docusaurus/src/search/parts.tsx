import type { FoundSection, MarkedRange } from '@sekisho/contract/search-response'
import { type ReactNode, useEffect, useState } from 'react'
import type { SearchSession, SearchState } from './search-session.ts'
import { TEXTS } from './texts.ts'

type MarkedProps = { readonly text: string; readonly marks: readonly MarkedRange[] }

/** A text with its matches marked. */
export function Marked({ text, marks }: MarkedProps): ReactNode {
  const pieces: ReactNode[] = []
  let at = 0
  for (const [start, end, as] of marks) {
    pieces.push(
      text.slice(at, start),
      <mark key={start} data-as={as}>
        {text.slice(start, end)}
      </mark>,
    )
    at = end
  }
  return [...pieces, text.slice(at)]
}

/** The text of a section around the match. */
export function Snippet({ snippet }: Pick<FoundSection, 'snippet'>): ReactNode {
  if (snippet.text === '') return null
  return (
    <span className="sekisho-search__snippet">
      {snippet.cutStart && '… '}
      <Marked text={snippet.text} marks={snippet.marks} />
      {snippet.cutEnd && ' …'}
    </span>
  )
}

type NoticesProps = { readonly state: SearchState; readonly session: SearchSession }

/** Notices beside the results: a failure, no results, a corrected query. */
export function Notices({ state, session }: NoticesProps): ReactNode {
  const { problem, answer, answered } = state
  if (problem !== null) {
    return (
      <div className="sekisho-search__notice" role="alert">
        <strong>{TEXTS[problem]}</strong>
        <p>{TEXTS[`${problem}Hint`]}</p>
        <button type="button" className="button button--primary button--sm" onClick={session.retry}>
          {TEXTS.retry}
        </button>
      </div>
    )
  }
  if (answer === null || answered === null) return null
  const { didYouMean, relaxed, results } = answer
  return (
    <>
      {didYouMean !== null && didYouMean !== answered.q && (
        <p className="sekisho-search__hint">
          {TEXTS.didYouMean}{' '}
          <button
            type="button"
            className="sekisho-search__correction"
            onClick={() => session.ask({ q: didYouMean })}
          >
            {didYouMean}
          </button>
        </p>
      )}
      {results.length > 0 && relaxed && <p className="sekisho-search__hint">{TEXTS.relaxed}</p>}
      {results.length === 0 && (
        <div className="sekisho-search__notice">
          <strong>{TEXTS.nothingFound(answered.q.trim())}</strong>
          <p>{TEXTS.nothingFoundHint}</p>
          {Object.keys(answered.filters).length > 0 && (
            <button
              type="button"
              className="button button--outline button--primary button--sm"
              onClick={() => session.ask({ filters: {} })}
            >
              {TEXTS.searchEverywhere}
            </button>
          )}
        </div>
      )}
    </>
  )
}

/** Screen reader users are told once they pause, not on every key. */
const PAUSE_MS = 600

/** Announces the number of results to screen readers only. */
export function Announcement({ state }: { readonly state: SearchState }): ReactNode {
  const [text, setText] = useState('')
  const { answer, isAsking, problem } = state
  useEffect(() => {
    if (isAsking) return undefined
    // A failure is announced where it is shown; what was found before it is not said again beside it.
    const isCounted = answer !== null && problem === null
    const timer = setTimeout(() => setText(isCounted ? TEXTS.count(answer.results.length) : ''), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [answer, isAsking, problem])
  return (
    <p className="sekisho-search__announcement" role="status">
      {text}
    </p>
  )
}
