import type { EndReason } from '@sekisho/contract/session-response'
import { KEEP_ENDS_MS, type SessionEnd, type SessionRow } from '../rows/session.ts'
import { MAX_ROWS, type SessionEnds } from '../rows/session-store.ts'
import { createRecent } from './recent.ts'

/** So many ended sessions are known at a gate. */
const MAX_OVER = 100_000

/** Sessions that are over for this process, whatever the store holds later, and among them those that the store has not taken yet. */
export interface UnwrittenEnds {
  /** Tells by key or id. */
  has(session: string): boolean
  /** Keys or ids of sessions that ended elsewhere. */
  note(sessions: readonly string[]): void
  find(key: string): { readonly session: SessionRow; readonly end: SessionEnd } | undefined
  add(session: SessionRow, reason: EndReason | null): void
  /** Fails while the store refuses; then they stay, and are written the next time. */
  write(): Promise<void>
}

/** Memory first: if the store refuses, a session is over nevertheless, and the store is asked again later. */
export function holdEnds(store: Pick<SessionEnds, 'remove'>, now: () => number): UnwrittenEnds {
  const ended = new Map<string, { readonly session: SessionRow; readonly end: SessionEnd }>() // by key
  const over = createRecent<string, true>(MAX_OVER, KEEP_ENDS_MS)
  /** The batch being written, and the one behind it, which takes whatever ends meanwhile: many ends share their syncs. */
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null

  async function writeAll(): Promise<void> {
    const ends = [...ended.values()].map(({ end }) => end)
    for (let at = 0; at < ends.length; at += MAX_ROWS) {
      const page = ends.slice(at, at + MAX_ROWS)
      await store.remove(page)
      for (const { key } of page) ended.delete(key)
    }
  }

  return {
    has: (session) => ended.has(session) || over.has(session),
    note(sessions) {
      for (const one of sessions) over.set(one, true)
    },
    find: (key) => ended.get(key),
    add(session, reason) {
      const { key } = session
      over.set(key, true)
      ended.set(key, { session, end: { key, reason, endedAtMs: now() } })
    },
    write() {
      if (ended.size === 0) return Promise.resolve()
      next ??= Promise.allSettled([running]).then(() => {
        running = next ?? running
        next = null
        return writeAll()
      })
      return next
    },
  }
}
