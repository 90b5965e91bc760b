import type { EndReason } from '@sekisho/contract/session-response'
import type { SessionEnd, SessionRow } from '../rows/session.ts'
import { MAX_ROWS, type SessionEnds } from '../rows/session-store.ts'

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
    has: (key) => ended.has(key),
    find: (key) => ended.get(key),
    add(session, reason) {
      const { key } = session
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
