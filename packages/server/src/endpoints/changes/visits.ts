import type { Reader, ServedEdition } from '../../kernel/reader.ts'
import { accountKey } from '../../state/limits/index.ts'
import type { Account } from '../../state/sessions/index.ts'
import type { Visit, VisitStore } from '../../state/visits/index.ts'

/** Visits of accounts to the portal. Reading never fails a page: without the store there is no visit. */
export interface Visits {
  /** Notes that a reader is here, and resolves to their visit; null where nothing is recorded of it. */
  note(reader: Reader): Promise<Visit | null>
  /** Takes everything that is served now as read, which also starts a stopped record. */
  markSeen(reader: Reader): Promise<void>
  /** Deletes the record of an account, and stops it. */
  stop(account: Account): Promise<void>
}

/** An account that has not asked for so long has left; its next request is another visit. */
const GAP_MS = 2 * 3_600_000
/** A visit is written once in this time, unless the release changes. */
const WRITE_EVERY_MS = 10 * 60_000
/** Maximum age of a visit in memory: another gate may have changed it. */
const MAX_AGE_MS = 60_000
const MAX_KEPT = 2_000

/** Keeps the last visit of each account, in memory for a minute. */
export function createVisits(store: VisitStore, now: () => number): Visits {
  const kept = new Map<string, { readonly visit: Visit | null; readonly atMs: number }>()

  function keep(account: Account, visit: Visit | null): void {
    kept.delete(accountKey(account))
    kept.set(accountKey(account), { visit, atMs: now() })
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? '')
  }
  async function put(account: Account, visit: Visit): Promise<void> {
    await store.put(account, visit)
    keep(account, visit)
  }
  async function find(account: Account): Promise<Visit | null> {
    const visit = await store.find(account)
    keep(account, visit)
    return visit
  }
  async function note({ served, session }: Reader & { readonly served: ServedEdition }): Promise<Visit> {
    const known = kept.get(accountKey(session))
    const isFresh = known !== undefined && now() - known.atMs < MAX_AGE_MS
    const before = isFresh ? known.visit : await find(session)
    if (before !== null && before === nextVisit(before, served, now())) return before
    const found = isFresh ? await find(session) : before // not over what another gate wrote
    const next = nextVisit(found, served, now())
    if (next !== found) await put(session, next)
    return next
  }

  return {
    async note(reader) {
      const { served, viewingAs, via } = reader
      if (served === null || viewingAs !== null || via !== 'session') return null
      return note({ ...reader, served }).catch(() => null)
    },
    async markSeen({ served, session }) {
      if (served !== null) await put(session, firstVisit(served, now()))
    },
    stop: (account) => put(account, { edition: '', base: '', current: '', atMs: now(), isOff: true }),
  }
}

const firstVisit = ({ name, releaseId }: ServedEdition, atMs: number): Visit => ({
  edition: name,
  base: releaseId,
  current: releaseId,
  atMs,
  isOff: false,
})

/** The visit as it is with a request at this time; the same object where nothing is to be written. */
function nextVisit(visit: Visit | null, served: ServedEdition, atMs: number): Visit {
  if (visit === null || (!visit.isOff && visit.edition !== served.name)) return firstVisit(served, atMs)
  if (visit.isOff) return visit
  const { releaseId: current } = served
  if (atMs - visit.atMs > GAP_MS) return { ...visit, base: visit.current, current, atMs }
  if (visit.current === current && atMs - visit.atMs < WRITE_EVERY_MS) return visit
  return { ...visit, current, atMs }
}
