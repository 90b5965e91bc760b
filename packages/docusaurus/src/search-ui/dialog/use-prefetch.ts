import type { SearchAnswer } from '@sekisho/contract/search-answer'
import { useEffect } from 'react'

/** Only for results that stay a moment: nobody opens what flies past while typing. */
const PAUSE_MS = 120

/** Fetches the code of the first result's page, through what Docusaurus's own links use. */
export function usePrefetch(answer: SearchAnswer | null): void {
  const first = answer?.results[0]?.url
  useEffect(() => {
    if (first === undefined) return undefined
    const timer = setTimeout(() => {
      window.docusaurus.prefetch(first)
      window.docusaurus.preload(first)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [first])
}
