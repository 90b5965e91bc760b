import useBaseUrl from '@docusaurus/useBaseUrl'
import versions from '@generated/sekisho-docusaurus/default/search-scopes.json'
import type { FoundPage } from '@sekisho/contract/search-response'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { leavePage } from '../session/leave-page.ts'
import { noteRelease, releaseOfTab } from '../session/tab-release.ts'
import { currentReader } from '../session/tab-session.ts'
import { askGate, type Question, reportOpened } from './ask-gate.ts'
import { rememberQuery } from './device-memory.ts'
import { matchedWords, storeMatchedWords } from './matched-words.ts'
import { type Rewritten, useRewritten } from './rewritten.ts'
import { createSearchSession, type SearchSession, type SearchState } from './search-session.ts'

/** A search of its own for a component; asks again by itself when the connection is back. */
export function useSearch(limit: number): {
  readonly session: SearchSession
  readonly state: SearchState
  /** Pages for other words, which come later; null where there are none. */
  readonly rewritten: Rewritten | null
} {
  const baseUrl = useBaseUrl('/')
  const [ask] = useState(() => async (question: Question, signal: AbortSignal) => {
    const below = versionRead(window.location) ?? baseUrl
    const outcome = await askGate(fetch, question, signal, { baseUrl: below, release: releaseOfTab() })
    if (outcome.kind === 'found') noteRelease(outcome.release) // what is served now: results open pages of it
    return outcome
  })
  const [session] = useState(() =>
    createSearchSession({
      limit,
      ask,
      onSignedOut: leavePage,
      now: () => performance.now(),
    }),
  )
  const state = useSyncExternalStore(session.subscribe, session.get, session.get)
  useEffect(() => {
    window.addEventListener('online', session.retry)
    return () => {
      window.removeEventListener('online', session.retry)
      session.stop()
    }
  }, [session])
  return { session, state, rewritten: useRewritten(state, ask) }
}

/** Path of the version being read, or read when all results were requested; undefined for the default one. */
export function versionRead({ pathname, search }: Location): string | undefined {
  const place = new URLSearchParams(search).get('in') ?? pathname
  return versions.find((version) => place.replace(/\/?$/, '/').startsWith(version))
}

/** Stores the words to mark on the page, adds the query to the history, and reports the opened result. */
export function followResult(q: string, page: FoundPage, rank: number): void {
  storeMatchedWords(
    localStorage,
    new URL(page.url, window.location.href).pathname,
    matchedWords(page),
    Date.now(),
  )
  const reader = currentReader()
  if (reader !== null) rememberQuery(localStorage, reader, q)
  reportOpened(fetch, { q, rank, page: page.id })
}
