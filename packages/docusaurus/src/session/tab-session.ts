import type { ClientModule } from '@docusaurus/types'
import { SESSION_CHANNEL } from '@sekisho/contract/browser-storage'
import { useSyncExternalStore } from 'react'
import { clearPage, leavePage, restoreScrollPosition, thisTab } from './leave-page.ts'
import { readReaderCookie } from './reader-cookie.ts'
import { askForPage, askSession } from './session-api.ts'
import { createSessionStore, LOADING, type Session } from './session-store.ts'
import { hasUpdates, newerRelease, noteRelease } from './tab-release.ts'
import { watchSession } from './watch-session.ts'

/** This tab's one session store. */
export const sessionStore = createSessionStore()

/** `docusaurus start` has no gate in front of it: no session is shown or requested there. */
export const hasGate = process.env.NODE_ENV === 'production'

/** One channel object per tab: a message reaches every other one, so a tab does not hear itself. */
let channel: BroadcastChannel | undefined
export function openChannel(): BroadcastChannel {
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

/** The reader of this page. `loading` in the delivered HTML, known at hydration without a request. */
export function useSession(): Session {
  return useSyncExternalStore(
    sessionStore.subscribe,
    hasGate ? sessionStore.get : UNGATED,
    hasGate ? ON_SERVER : UNGATED,
  )
}

/** The reader of this tab; null while unknown. */
export function currentReader(): string | null {
  const session = sessionStore.get()
  return session.status === 'signed-in' ? session.email : null
}

/** Client-side navigation may need no request at all, so it is reported to the gate for the audit trail. */
export function onRouteDidUpdate({
  location,
  previousLocation,
}: Parameters<NonNullable<ClientModule['onRouteDidUpdate']>>[0]): void {
  if (location.pathname === previousLocation?.pathname) return
  const { pathname } = new URL(location.pathname, window.location.href) // the router decodes, the gate does not
  if (hasGate && hasUpdates())
    import('../updates/mark-updates.ts').then(
      ({ markUpdates }) => markUpdates(pathname),
      () => undefined, // the page works without marks
    )
  if (previousLocation !== null) void recordPageView(pathname)
}

/** Later than this a reader may have begun to read or write, and is told of the newer release instead. */
const JUST_OPENED_MS = 1_000

/** Leaves the page when the session has ended; a page of an older release that was opened a moment ago is reloaded. */
async function recordPageView(pathname: string): Promise<void> {
  if (!hasGate) return
  const openedAtMs = performance.now()
  const { isSignedOut, release } = await askForPage(fetch, pathname)
  if (isSignedOut) {
    sessionStore.set({ status: 'signed-out' })
    leavePage()
    return
  }
  noteRelease(release)
  const isJustOpened =
    performance.now() - openedAtMs < JUST_OPENED_MS && window.location.pathname === pathname
  if (newerRelease.get() && isJustOpened) window.location.reload()
}
