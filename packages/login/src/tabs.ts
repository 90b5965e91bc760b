import { SESSION_CHANNEL, type SessionMessage } from '@sekisho/contract/browser-storage'

/** The reader's other tabs of this portal; its pages announce signing out on the same channel. */
interface Tabs {
  /** Tells other tabs that the reader has signed in. */
  announceSignIn(): void
}

/**
 * Reloads into the page that was asked for once another tab signs in, or when this page comes back from
 * history. One channel object for both directions: an object never hears itself.
 */
export function joinTabs(reload: () => void): Tabs {
  const channel = new BroadcastChannel(SESSION_CHANNEL)
  channel.addEventListener('message', ({ data }) => {
    if (data?.type === 'signed-in') reload()
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) reload()
  })
  return { announceSignIn: () => channel.postMessage({ type: 'signed-in' } satisfies SessionMessage) }
}
