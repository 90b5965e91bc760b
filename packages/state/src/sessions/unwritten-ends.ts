import type { EndReason } from '@sekisho/contract/session-response'
import type { SessionEnd, SessionRow } from './session.ts'
import type { SessionEnds } from './session-store.ts'

/** Sessions that are over for this process, and that the store has not taken yet. */
export interface UnwrittenEnds {
  has(key: string): boolean
  find(key: string): { readonly session: SessionRow; readonly end: SessionEnd } | undefined
  add(session: SessionRow, reason: EndReason | null): void
  /** Fails while the store refuses; then they stay, and are written the next time. */
  write(): Promise<void>
}

/** Memory first: if the store refuses, a session is over nevertheless, and the store is asked again later. */
export function holdEnds(store: Pick<SessionEnds, 'remove'>, now: () => number): UnwrittenEnds {
  const ended = new Map<string, { readonly session: SessionRow; readonly end: SessionEnd }>() // by key
  return {
    has: (key) => ended.has(key),
    find: (key) => ended.get(key),
    add(session, reason) {
      const { key } = session
      ended.set(key, { session, end: { key, reason, endedAtMs: now() } })
    },
    async write() {
      if (ended.size === 0) return
      const ends = [...ended.values()].map(({ end }) => end)
      await store.remove(ends)
      for (const { key } of ends) ended.delete(key)
    },
  }
}
