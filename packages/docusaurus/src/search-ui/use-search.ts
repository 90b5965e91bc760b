import { useEffect, useState, useSyncExternalStore } from 'react'
import { leavePage } from '../session/leave-page.ts'
import { askGate } from './ask/ask-gate.ts'
import { createSearchSession, type SearchSession, type SearchState } from './ask/search-session.ts'

/** A search of its own for a component; asks again by itself when the connection is back. */
export function useSearch(limit: number): { readonly session: SearchSession; readonly state: SearchState } {
  const [session] = useState(() =>
    createSearchSession({
      limit,
      ask: (question, signal) => askGate(fetch, question, signal),
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
  return { session, state }
}
