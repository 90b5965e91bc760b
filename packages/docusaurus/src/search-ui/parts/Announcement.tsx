import { type ReactNode, useEffect, useState } from 'react'
import type { SearchState } from '../ask/search-session.ts'
import { TEXTS } from '../texts.ts'

/** Somebody who hears the page is told once they pause, not at every key. */
const PAUSE_MS = 600

/** Says how many pages were found, to screen readers only. */
export default function Announcement({ state }: { readonly state: SearchState }): ReactNode {
  const [text, setText] = useState('')
  const { answer, isAsking } = state
  useEffect(() => {
    if (isAsking) return undefined
    const timer = setTimeout(
      () => setText(answer === null ? '' : TEXTS.count(answer.results.length)),
      PAUSE_MS,
    )
    return () => clearTimeout(timer)
  }, [answer, isAsking])
  return (
    <p className="sekisho-search__announcement" role="status">
      {text}
    </p>
  )
}
