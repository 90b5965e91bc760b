import type { FoundPage, SearchResponse } from '@sekisho/contract/search-response'
import { useEffect, useState } from 'react'
import type { Outcome, Question } from './ask-gate.ts'
import type { SearchState } from './search-session.ts'

/** Pages that short queries found in place of a sentence, and that its own words did not. */
export type Rewritten = { readonly queries: readonly string[]; readonly pages: readonly FoundPage[] }

/** A sentence is asked for when its reader rests or presses Enter. */
const REST_MS = 600

/** Asks for other words once a sentence is answered and rests; the answer itself is never changed. */
export function useRewritten(
  { q, answer, answered, isAsking, isEntered }: SearchState,
  ask: (question: Question, signal: AbortSignal) => Promise<Outcome>,
): Rewritten | null {
  const [found, setFound] = useState<{ readonly rewritten: Rewritten; readonly of: Question } | null>(null)
  const canRewrite = answer?.canRewrite === true && !isAsking && answered?.q.trim() === q.trim()
  useEffect(() => {
    if (!canRewrite || answer === null || answered === null) return undefined
    const leaving = new AbortController()
    const timer = setTimeout(
      async () => {
        const outcome = await ask({ ...answered, rewrite: true }, leaving.signal).catch(() => null)
        const rewritten = outcome?.kind === 'found' ? newPages(outcome.answer, answer) : null
        if (rewritten !== null) setFound({ rewritten, of: answered })
      },
      isEntered ? 0 : REST_MS,
    )
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [canRewrite, isEntered, answer, answered, ask])
  return found !== null && found.of === answered ? found.rewritten : null
}

/** Pages of the rewrites without those that are shown already; null if that is all. */
export function newPages(
  { results, rewrites = [] }: SearchResponse,
  shown: SearchResponse,
): Rewritten | null {
  const known = new Set(shown.results.map(({ id }) => id))
  const pages = results.filter(({ id }) => !known.has(id))
  return pages.length === 0 ? null : { queries: rewrites, pages }
}
