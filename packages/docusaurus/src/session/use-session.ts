import { useSyncExternalStore } from 'react'
import type { Session } from './session.ts'
import { LOADING } from './session-store.ts'
import { hasGate, sessionStore } from './tab-session.ts'

const SIGNED_OUT: Session = { status: 'signed-out' }
const UNGATED = (): Session => SIGNED_OUT
const ON_SERVER = (): Session => LOADING

/** Who reads this page. `loading` in the delivered HTML, known at hydration without a request. */
export function useSession(): Session {
  return useSyncExternalStore(
    sessionStore.subscribe,
    hasGate ? sessionStore.get : UNGATED,
    hasGate ? ON_SERVER : UNGATED,
  )
}
