import type { Reader } from '@sekisho/contract/session-response'
import type { SessionStatus } from './session-api.ts'
import { type SessionStore, signedIn } from './session-store.ts'

/** Parts of a browser tab used by the watcher. */
export type WatchedTab = {
  readonly document: EventTarget & { readonly visibilityState: DocumentVisibilityState }
  readonly window: EventTarget
  readonly channel: EventTarget
  readReader(): Reader | null
  ask(): Promise<SessionStatus>
  /** Told of the release that is being served. */
  noteRelease(release: string | null): void
  /** Clears the page and navigates to the login page. */
  leave(): void
  /** Clears the page only. */
  clear(): void
  now(): number
}

/** With the time that an answer may take, a tab in sight knows within a minute. */
export const POLL_MS = 50_000
/** The first question comes when the page is drawn and idle: only a broken configuration is news then. */
export const FIRST_CHECK_MS = 1_500
/** Looking at a tab several times in a row asks twice: at once, and when this time is over. */
const MIN_INTERVAL_MS = 5_000

/** Syncs a tab with the session until the returned function is called. */
export function watchSession(store: SessionStore, tab: WatchedTab): () => void {
  let askedAtMs = Number.NEGATIVE_INFINITY
  let again: ReturnType<typeof setTimeout> | undefined

  const leave = (): void => {
    store.set({ status: 'signed-out' })
    tab.leave()
  }
  const check = async (): Promise<void> => {
    if (tab.document.visibilityState !== 'visible') return
    const waitMs = askedAtMs + MIN_INTERVAL_MS - tab.now()
    if (waitMs > 0) {
      clearTimeout(again)
      again = setTimeout(check, waitMs)
      return
    }
    askedAtMs = tab.now()
    const answer = await tab.ask()
    if (answer.kind === 'signed-out') leave()
    else if (answer.kind === 'signed-in') {
      store.set(signedIn(answer.reader, answer.isSignInConfigured))
      tab.noteRelease(answer.release)
    }
  }
  const onPageShow = (event: Event): void => {
    const isRestored = 'persisted' in event && event.persisted === true
    if (isRestored && tab.readReader() === null) leave()
    else if (isRestored) void check()
  }
  const onPageHide = (): void => {
    if (store.get().status === 'signed-out') tab.clear()
  }
  const onMessage = (event: Event): void => {
    if (isSignedOutMessage(event)) leave()
  }

  const reader = tab.readReader()
  if (reader === null) void check()
  else store.set(signedIn(reader))

  const stops = [
    listen(tab.document, 'visibilitychange', check),
    listen(tab.window, 'focus', check),
    listen(tab.window, 'pageshow', onPageShow),
    listen(tab.window, 'pagehide', onPageHide),
    listen(tab.channel, 'message', onMessage),
  ]
  const first = setTimeout(check, FIRST_CHECK_MS)
  const timer = setInterval(check, POLL_MS)
  return () => {
    clearTimeout(first)
    clearTimeout(again)
    clearInterval(timer)
    for (const stop of stops) stop()
  }
}

function isSignedOutMessage(event: Event): boolean {
  const data: unknown = 'data' in event ? event.data : undefined
  return typeof data === 'object' && data !== null && 'type' in data && data.type === 'signed-out'
}

function listen(target: EventTarget, type: string, listener: (event: Event) => void): () => void {
  target.addEventListener(type, listener)
  return () => target.removeEventListener(type, listener)
}
