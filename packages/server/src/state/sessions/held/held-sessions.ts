import { UnavailableError } from '../../../storage/unavailable-error.ts'
import type { Session, SessionRow } from '../rows/session.ts'
import { MAX_ROWS, type ProofRow, type SessionChanges, type SessionRows } from '../rows/session-store.ts'

/** A last use is written once it is so much newer than the one on record. */
export const SEEN_STEP_MS = 10_000
/** Time after which an unused row leaves memory. */
const FORGET_MS = 60_000

/** A session in memory. */
export type Held = { -readonly [Key in keyof SessionRow]: SessionRow[Key] } & {
  /** Time of reading the store. */
  readAtMs: number
  /** Something may have changed since, so the store is asked again. */
  isOutdated: boolean
  seenWrittenAtMs: number
}

/** The sessions in use, in memory for as long as their store vouches for them. */
export interface HeldSessions {
  /** Entry in memory, trusted or not. */
  get(key: string): Held | undefined
  /** Null when the store has to be asked. */
  findTrusted(key: string): Held | null
  /** Puts one question to the store for all who want the same session. Fails with `UnavailableError`. */
  load(key: string): Promise<Held | null>
  /** Puts a row into memory that is in the store as of `readAtMs`. */
  hold(row: SessionRow, readAtMs: number): void
  forget(key: string): void
  /** Has the store asked again for these; for all when null. */
  distrust(keys: readonly string[] | null): void
  /** Last uses of a later time than a clock that was set back become its time; not those of sessions of another time. */
  setBack(atMs: number, isOfAnotherTime: (session: Session) => boolean): void
  /** Notes a use, which `writeSeen` writes. */
  touch(session: Held, atMs: number): void
  writeSeen(): Promise<void>
  /** Removes unused rows from memory once a minute; unwritten ones stay. */
  sweep(): void
}

interface HoldOptions {
  readonly store: { readonly sessions: SessionRows; readonly changes: SessionChanges }
  readonly now: () => number
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number
  /** Tells by key or id if a session is over that the store may still have. */
  readonly isOver: (session: string) => boolean
  /** A proof that the store may not have yet. */
  readonly proofOf: (key: string) => ProofRow | undefined
}

export function holdSessions({
  store: { sessions: stored, changes },
  now,
  elapsed,
  isOver,
  proofOf,
}: HoldOptions): HeldSessions {
  const held = new Map<string, Held>() // by key
  const loading = new Map<string, { isOutdated: boolean; readonly row: Promise<Held | null> }>()
  const touched = new Set<Held>()
  let sweptAtMs = elapsed()
  changes.subscribe(distrust)

  function distrust(keys: readonly string[] | null): void {
    for (const known of [held, loading]) {
      const affected = keys === null ? known.values() : keys.flatMap((key) => known.get(key) ?? [])
      for (const one of affected) one.isOutdated = true
    }
  }
  function forget(key: string): void {
    const session = held.get(key)
    if (session === undefined) return
    touched.delete(session)
    held.delete(key)
  }
  function isTrusted({ isOutdated, readAtMs }: Held): boolean {
    return !isOutdated && changes.hears() && elapsed() - readAtMs <= changes.maxAgeMs
  }
  function hold(row: SessionRow, readAtMs: number, isOutdated: boolean): Held {
    const known = held.get(row.key)
    const proof = proofOf(row.key) ?? row
    const session: Held = Object.assign(known ?? {}, row, {
      readAtMs,
      isOutdated,
      lastSeenAtMs: Math.max(row.lastSeenAtMs, known?.lastSeenAtMs ?? 0),
      seenWrittenAtMs: row.lastSeenAtMs,
      provenAtMs: proof.provenAtMs,
      refresh: proof.refresh,
      vouched: proof.vouched,
    })
    held.set(row.key, session)
    return session
  }

  return {
    get: (key) => held.get(key),
    findTrusted(key) {
      const known = held.get(key)
      return known !== undefined && isTrusted(known) ? known : null
    },
    load(key) {
      const running = loading.get(key)
      if (running !== undefined) return running.row
      const started = { isOutdated: false, row: Promise.resolve().then(ask) }
      loading.set(key, started)
      return started.row

      async function ask(): Promise<Held | null> {
        const readAtMs = elapsed()
        try {
          const row = await stored.find(key)
          if (row !== null && !isOver(key) && !isOver(row.id)) return hold(row, readAtMs, started.isOutdated)
          forget(key)
          return null
        } catch (cause) {
          throw new UnavailableError('unavailable', 'the session store cannot be read', { cause })
        } finally {
          loading.delete(key)
        }
      }
    },
    hold: (row, readAtMs) => void hold(row, readAtMs, false),
    forget,
    distrust,
    setBack(atMs, isOfAnotherTime) {
      for (const session of held.values()) {
        if (isOfAnotherTime(session)) continue
        session.lastSeenAtMs = Math.min(session.lastSeenAtMs, atMs)
        session.isOutdated = true
      }
    },
    touch(session, atMs) {
      session.lastSeenAtMs = atMs
      if (atMs - session.seenWrittenAtMs > SEEN_STEP_MS) touched.add(session)
    },
    async writeSeen() {
      const all = [...touched]
      for (let at = 0; at < all.length; at += MAX_ROWS) {
        const rows = all.slice(at, at + MAX_ROWS).map(({ key, lastSeenAtMs }) => ({ key, lastSeenAtMs }))
        await stored.markSeen(rows)
        for (const { key, lastSeenAtMs } of rows) {
          const session = held.get(key)
          if (session === undefined) continue
          session.seenWrittenAtMs = lastSeenAtMs
          touched.delete(session)
        }
      }
    },
    sweep() {
      const atMs = elapsed()
      if (atMs - sweptAtMs < FORGET_MS) return
      sweptAtMs = atMs
      const unusedMs = now() - FORGET_MS
      for (const session of held.values()) {
        if (session.lastSeenAtMs < unusedMs && !touched.has(session)) held.delete(session.key)
      }
    },
  }
}
