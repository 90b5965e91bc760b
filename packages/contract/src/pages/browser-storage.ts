/** The channel on which tabs of one portal, its login page included, tell each other of signing in and out. */
export const SESSION_CHANNEL = 'sekisho'

/** A message on that channel. */
export interface SessionMessage {
  readonly type: 'signed-in' | 'signed-out'
}

/** Names in `localStorage` under which the search remembers things for one reader. */
export const READER_STORAGE_KEYS = {
  /** Recent queries and pages. */
  searchMemory: 'sekisho.search',
  /** Matched words on their way to the page that is about to open. */
  searchWords: 'sekisho.search.follow',
} as const

/** Removes what the device remembers of a reader: on signing out, and wherever there is no session. */
export function forgetReader(storage: { removeItem(key: string): void }): void {
  for (const key of Object.values(READER_STORAGE_KEYS)) storage.removeItem(key)
}
