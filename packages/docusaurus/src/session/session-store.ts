import type { Reader } from '@sekisho/contract/session-response'

/** The session as a page shows it. Access is decided by the gate; this is for display only. */
export type Session =
  | { readonly status: 'loading' }
  | ({ readonly status: 'signed-in'; readonly isSignInConfigured: boolean } & Reader)
  | { readonly status: 'signed-out' }

/** Sign-in counts as configured until the gate says otherwise. */
export function signedIn({ email, name }: Reader, isSignInConfigured = true): Session {
  return { status: 'signed-in', email, name, isSignInConfigured }
}

/** Holds the session, in the shape `useSyncExternalStore` wants. */
export type SessionStore = {
  get(): Session
  /** Notifies subscribers only of visible changes. */
  set(next: Session): void
  subscribe(listener: () => void): () => void
}

export const LOADING: Session = { status: 'loading' }

export function createSessionStore(): SessionStore {
  let current = LOADING
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set(next) {
      if (isSame(current, next)) return
      current = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function isSame(a: Session, b: Session): boolean {
  if (a.status !== 'signed-in' || b.status !== 'signed-in') return a.status === b.status
  return a.email === b.email && a.name === b.name && a.isSignInConfigured === b.isSignInConfigured
}
