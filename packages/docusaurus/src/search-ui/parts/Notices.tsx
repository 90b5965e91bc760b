import type { ReactNode } from 'react'
import type { SearchSession, SearchState } from '../ask/search-session.ts'
import { TEXTS } from '../texts.ts'

export type Props = { readonly state: SearchState; readonly session: SearchSession }

/** What there is to say beside the results: trouble, nothing found, a corrected spelling. */
export default function Notices({ state, session }: Props): ReactNode {
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
          {answered.area !== null && (
            <button
              type="button"
              className="button button--outline button--primary button--sm"
              onClick={() => session.ask({ area: null })}
            >
              {TEXTS.searchEverywhere}
            </button>
          )}
        </div>
      )}
    </>
  )
}
