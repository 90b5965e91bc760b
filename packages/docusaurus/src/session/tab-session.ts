import type { ClientModule } from '@docusaurus/types'
import { forgetReader, SESSION_CHANNEL, type SessionMessage } from '@sekisho/contract/browser-storage'
import { useSyncExternalStore } from 'react'
import { clearPage, leavePage, restoreScrollPosition, thisTab } from './leave-page.ts'
import { readReaderCookie } from './reader-cookie.ts'
import { askForPage, askSession, endSession, type SignOutScope } from './session-api.ts'
import { createSessionStore, LOADING, type Session } from './session-store.ts'
import { newerRelease, noteRelease } from './tab-release.ts'
import { watchSession } from './watch-session.ts'

/** This tab's one session store. */
export const sessionStore = createSessionStore()

/** `docusaurus start` has no gate in front of it: no session is shown or requested there. */
export const hasGate = process.env.NODE_ENV === 'production'

/** One channel object per tab: a message reaches every other one, so a tab does not hear itself. */
let channel: BroadcastChannel | undefined
function openChannel(): BroadcastChannel {
  channel ??= new BroadcastChannel(SESSION_CHANNEL)
  return channel
}

/** Watches the session of this tab; returns how to stop. */
export function startTabSession(): () => void {
  if (!hasGate) return () => undefined
  restoreScrollPosition(thisTab())
  return watchSession(sessionStore, {
    document,
    window,
    channel: openChannel(),
    readReader: () => readReaderCookie(document.cookie, window.location.protocol === 'https:'),
    ask: () => askSession(fetch),
    noteRelease,
    leave: leavePage,
    clear: clearPage,
    now: () => Date.now(),
  })
}

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

/** Whose tab it is; null while that is unknown. */
export function currentReader(): string | null {
  const session = sessionStore.get()
  return session.status === 'signed-in' ? session.email : null
}

/** Client-side navigation may need no request at all, so it is reported to the gate for the audit trail. */
export function onRouteDidUpdate({
  location,
  previousLocation,
}: Parameters<NonNullable<ClientModule['onRouteDidUpdate']>>[0]): void {
  if (previousLocation === null || location.pathname === previousLocation.pathname) return
  const { pathname } = new URL(location.pathname, window.location.href) // the router decodes, the gate does not
  void recordPageView(pathname)
}

/** Leaves the page when the session has ended. A page of a release that is no more is opened again while nobody has touched it. */
async function recordPageView(pathname: string): Promise<void> {
  if (!hasGate) return
  const isTouched = watchForTouch()
  const { isSignedOut, release } = await askForPage(fetch, pathname)
  if (isSignedOut) {
    sessionStore.set({ status: 'signed-out' })
    leavePage()
    return
  }
  noteRelease(release)
  if (newerRelease.get() && !isTouched() && window.location.pathname === pathname) window.location.reload()
}

const TOUCHES = ['keydown', 'pointerdown', 'wheel', 'touchstart'] as const

/** Returns whether the reader has done anything since. */
function watchForTouch(): () => boolean {
  let isTouched = false
  const touch = new AbortController()
  for (const type of TOUCHES) {
    const note = (): void => {
      isTouched = true
      touch.abort()
    }
    window.addEventListener(type, note, { capture: true, passive: true, signal: touch.signal })
  }
  return () => {
    touch.abort()
    return isTouched
  }
}

/**
 * Ends the session at the gate, or all of the account's, tells the reader's other tabs, then calls the callback. This
 * page clears itself when it is left. Rejects with a SignOutError, without having called back, when the gate could
 * not be reached.
 */
export async function signOut(callback?: () => void, scope: SignOutScope = 'here'): Promise<void> {
  if (hasGate) {
    await endSession(fetch, scope)
    forgetDevice()
    sessionStore.set({ status: 'signed-out' })
    openChannel().postMessage({ type: 'signed-out' } satisfies SessionMessage)
  }
  callback?.()
}

/** Removes the reader's search history from this device. */
function forgetDevice(): void {
  try {
    forgetReader(window.localStorage)
  } catch {
    // Without storage there is nothing to remove.
  }
}
