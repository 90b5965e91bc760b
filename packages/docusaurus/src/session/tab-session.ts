import { SESSION_CHANNEL, type SessionMessage } from '@sekisho/contract/browser-storage'
import { forgetReader } from '../search-ui/device/forget-reader.ts'
import { clearPage, leavePage, placedTab } from './leave-page.ts'
import { readReaderCookie } from './reader-cookie.ts'
import { returnToPlace } from './reading-place.ts'
import { askForPage, askSession, endSession, type SignOutScope } from './session-api.ts'
import { createSessionStore } from './session-store.ts'
import { watchSession } from './watch-session.ts'

/** This tab's one session store. */
export const sessionStore = createSessionStore()

/** `docusaurus start` has no gate in front of it: nothing is shown there and nobody is asked. */
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
  returnToPlace(placedTab())
  return watchSession(sessionStore, {
    document,
    window,
    channel: openChannel(),
    readReader: () => readReaderCookie(document.cookie, window.location.protocol === 'https:'),
    ask: () => askSession(fetch),
    leave: leavePage,
    clear: clearPage,
    now: () => Date.now(),
  })
}

/** Tells the gate that a page is read that was opened inside this tab; leaves when the session is over. */
export async function noteReading(pathname: string): Promise<void> {
  if (!hasGate || (await askForPage(fetch, pathname)) !== 'signed-out') return
  sessionStore.set({ status: 'signed-out' })
  leavePage()
}

/**
 * Ends the session at the gate, or all of the account's, tells the reader's other tabs, then calls the callback. This
 * page clears itself when it is left. Rejects with a SignOutError, without having called back, when the gate could
 * not be reached.
 */
export async function signOut(callback?: () => void, scope: SignOutScope = 'here'): Promise<void> {
  if (hasGate) {
    await endSession(fetch, scope)
    forgetReader()
    sessionStore.set({ status: 'signed-out' })
    openChannel().postMessage({ type: 'signed-out' } satisfies SessionMessage)
  }
  callback?.()
}
