import type { Database, Query } from '../../../storage/database/database.ts'
import { createRecent } from '../held/recent.ts'
import { readRevocation } from '../rows/read-row.ts'
import type { SessionEnd, SessionRow } from '../rows/session.ts'
import type { ProofRow, Revocation, SpentToken } from '../rows/session-store.ts'
import { proofsToWrite } from '../statements/proofs.ts'

/** Writes that a server had accepted, and its successor lacks. */
export interface LostWrites {
  /** Sessions that had ended, were there again, and have ended again. */
  readonly ends: number
  /** Sign-ins whose readers sign in once more; their tokens stay spent, and their addresses bound. */
  readonly signIns: number
}

/**
 * Recent writes of this gate, and those it heard of, that a server's loss must not undo. New sessions are excluded: one ended meanwhile
 * would return.
 */
export interface RecentWrites {
  noteEnds(ends: readonly SessionEnd[]): void
  noteRevoked(revoked: readonly Revocation[]): void
  /** `row` is the session that began with the token; null for a publisher's. */
  noteSpent(spent: SpentToken, row: SessionRow | null): void
  noteProofs(proofs: readonly ProofRow[]): void
  /** Grants of agents that ended. */
  noteGrants(ids: readonly string[]): void
  /** A refresh token of a grant that took another one's place: that one counts no more. */
  noteRefreshed(refreshed: Refreshed): void
  /** Tells if the session of that key, or the grant of that id, is over, whatever the database says. */
  hasEnded(key: string): boolean
  /** Sessions that were ended again and have no line in the trail for that yet. */
  takeEndedAgain(): readonly Revocation[]
}

interface Refreshed {
  readonly id: string
  readonly before: string
  readonly after: string
}

/** Retention of recent writes; a standby that is further behind is not promoted. */
const KEPT_MS = 600_000
const MAX_ENDS = 100_000
const MAX_TOKENS = 20_000
const MAX_PROOFS = 10_000
const PAGE = 5_000

interface RecentWritesOptions {
  readonly database: Pick<Database, 'subscribe' | 'onReplaced'>
  readonly context: number | null
  /** Told once it is made good. */
  readonly onLost: (lost: LostWrites) => void
}

/** Remembers them, and writes them again to each server that takes another one's place. */
export function rememberWrites({ database, context, onLost }: RecentWritesOptions): RecentWrites {
  const ended = createRecent<string, SessionEnd | null>(MAX_ENDS, KEPT_MS)
  const revoked = createRecent<string, true>(MAX_ENDS, KEPT_MS)
  const spent = createRecent<string, { readonly token: SpentToken; readonly row: SessionRow | null }>(
    MAX_TOKENS,
    KEPT_MS,
  )
  const proofs = createRecent<string, readonly ProofRow[]>(MAX_PROOFS, KEPT_MS)
  const grants = createRecent<string, true>(MAX_ENDS, KEPT_MS)
  const refreshed = createRecent<string, Refreshed>(MAX_TOKENS, KEPT_MS) // by grant and what counts no more
  let endedAgain: readonly Revocation[] = []

  database.subscribe((channel, payload) => {
    if (channel !== 'sekisho_ended' || payload === '') return
    for (const key of payload.split(',')) if (!ended.has(key)) ended.set(key, null)
  })
  database.onReplaced(async (ask) => {
    const again = await endAgain(ask, ended.entries(), [...revoked.keys()])
    const signIns = await spendAgain(ask, context, spent.values())
    for (const page of inTurns(proofs.values())) await ask(...proofsToWrite(page))
    await endGrantsAgain(ask, [...grants.keys()], refreshed.values())
    return () => {
      endedAgain = [...endedAgain, ...again]
      if (again.length + signIns > 0) onLost({ ends: again.length, signIns })
    }
  })

  return {
    noteEnds(ends) {
      for (const end of ends) ended.set(end.key, end)
    },
    noteRevoked(rows) {
      for (const { id } of rows) revoked.set(id, true)
    },
    noteSpent: (token, row) => spent.set(token.digest, { token, row }),
    noteProofs(rows) {
      for (const row of rows) proofs.set(row.key, [...(proofs.get(row.key) ?? []), row])
    },
    noteGrants(ids) {
      for (const id of ids) grants.set(id, true)
    },
    noteRefreshed: (one) => refreshed.set(keyOfRefreshed(one.id, one.before), one),
    hasEnded: (key) => ended.has(key) || grants.has(key),
    takeEndedAgain() {
      const taken = endedAgain
      endedAgain = []
      return taken
    },
  }
}

/** Removes them once more; resolves to those that were there. */
async function endAgain(
  ask: Query,
  ended: readonly (readonly [key: string, end: SessionEnd | null])[],
  ids: readonly string[],
): Promise<readonly Revocation[]> {
  const gone: Revocation[] = []
  for (const page of pagesOf(ended)) {
    const kept = page.flatMap(([, end]) => (end === null || end.reason === null ? [] : end))
    const rows = await ask(
      `WITH gone AS (DELETE FROM sekisho.sessions WHERE key = ANY($1::text[]) RETURNING id, email),
       kept AS (INSERT INTO sekisho.session_ends SELECT * FROM unnest($2::text[], $3::text[], $4::bigint[]) ON CONFLICT DO NOTHING)
       SELECT id, email FROM gone`,
      [
        page.map(([key]) => key),
        kept.map(({ key }) => key),
        kept.map(({ reason }) => reason),
        kept.map(({ endedAtMs }) => endedAtMs),
      ],
    )
    gone.push(...rows.map(readRevocation))
  }
  for (const page of pagesOf(ids)) {
    const rows = await ask(
      `WITH gone AS (DELETE FROM sekisho.sessions WHERE id = ANY($1::text[]) RETURNING key, id, email),
       kept AS (INSERT INTO sekisho.session_ends SELECT key, 'revoked', $2 FROM gone ON CONFLICT DO NOTHING)
       SELECT id, email FROM gone`,
      [page, Date.now()],
    )
    gone.push(...rows.map(readRevocation))
  }
  return gone
}

/**
 * Spends them once more; resolves to the number of sign-ins that were lost. A token is spent, an address bound and a session begun in one
 * transaction: where the token was not spent, the rest is lost, too.
 */
async function spendAgain(
  ask: Query,
  context: number | null,
  spent: readonly { readonly token: SpentToken; readonly row: SessionRow | null }[],
): Promise<number> {
  let signIns = 0
  const valid = spent.filter(({ token }) => token.expiresAtMs > Date.now())
  for (const page of pagesOf(valid)) {
    const rows = await ask(
      `INSERT INTO sekisho.spent_tokens SELECT * FROM unnest($1::text[], $2::bigint[])
       ON CONFLICT DO NOTHING RETURNING digest`,
      [page.map(({ token }) => token.digest), page.map(({ token }) => token.expiresAtMs)],
    )
    const lost = new Set(rows.map(({ digest }) => String(digest)))
    const unbound = page.flatMap(({ token, row }) =>
      row?.vouched.address === true && lost.has(token.digest) ? row : [],
    )
    await ask(
      `INSERT INTO sekisho.accounts (context, email, issuer, sub)
       SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[]) ON CONFLICT DO NOTHING`,
      [
        context,
        unbound.map(({ email }) => email.toLowerCase()),
        unbound.map(({ issuer }) => issuer),
        unbound.map(({ sub }) => sub),
      ],
    )
    signIns += unbound.length
  }
  return signIns
}

/** Removes grants that had ended, and has no refresh token count that another one had replaced. */
async function endGrantsAgain(
  ask: Query,
  ids: readonly string[],
  refreshed: readonly Refreshed[],
): Promise<void> {
  for (const page of pagesOf(ids)) await ask('DELETE FROM sekisho.grants WHERE id = ANY($1::text[])', [page])
  for (const page of pagesOf(newestOf(refreshed))) {
    await ask(
      `UPDATE sekisho.grants SET refresh = newer.after FROM unnest($1::text[], $2::text[], $3::text[]) AS newer (id, before, after)
       WHERE grants.id = newer.id AND grants.refresh = newer.before`,
      [page.map(({ id }) => id), page.map(({ before }) => before), page.map(({ after }) => after)],
    )
  }
}

/** No two begin alike: what a grant has before its first token is the same for all. */
const keyOfRefreshed = (id: string, before: string) => `${id} ${before}`

/** Each with what counts now, where a grant was refreshed more than once: a statement changes a row once. */
function newestOf(refreshed: readonly Refreshed[]): readonly Refreshed[] {
  const next = new Map(refreshed.map((one) => [keyOfRefreshed(one.id, one.before), one.after]))
  return refreshed.map((one) => {
    let { after } = one
    for (let newer = next.get(keyOfRefreshed(one.id, after)); newer !== undefined; ) {
      after = newer
      newer = next.get(keyOfRefreshed(one.id, after))
    }
    return { ...one, after }
  })
}

/** The oldest of each session first; one that others followed since changes nothing. */
function inTurns(proofs: readonly (readonly ProofRow[])[]): readonly (readonly ProofRow[])[] {
  const turns = Math.max(0, ...proofs.map(({ length }) => length))
  return Array.from({ length: turns }, (_, turn) => proofs.flatMap((one) => one[turn] ?? [])).flatMap(pagesOf)
}

function pagesOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / PAGE) }, (_, n) => all.slice(n * PAGE, (n + 1) * PAGE))
}
