import { randomUUID } from 'node:crypto'
import { END_REASONS } from '@sekisho/contract/session-answer'
import type { Database } from '../database/database.ts'
import { readRevocation, readSessionRow } from './read-row.ts'
import type { SessionEnd, SessionRow } from './session.ts'
import {
  type ChangeListener,
  type InsertResult,
  MAX_ROWS,
  PROVING_MS,
  type RevocationFilter,
  type SessionContext,
  type SessionStore,
} from './session-store.ts'

/** Revocations are announced; in case that was not heard, they are looked for as often as this. */
const LOOK_MS = 5_000
/** A lease that is renewed after this leaves `PROVING_MS` of it. */
const RENEW_MS = 10_000
const LEASE_SECONDS = (PROVING_MS + RENEW_MS) / 1_000
/** Clocks of gates differ by less; only what is further ahead was written before a clock was set back. */
const CLOCK_SLACK_MS = 60_000
/** A session that began later than this ahead of the clock is of another time, and left alone. */
const MAX_CLOCK_STEP_MS = 300_000

const COLUMNS =
  'key, id, sub, email, name, device, address, started_at, last_seen_at, proven_at, refresh, parent' as const

/** Finds the number of a context; one that is new gets one. */
export async function readContextId({ query }: Database, context: SessionContext): Promise<number> {
  const values = [context.issuer, context.projectId, context.origin]
  await query(
    'INSERT INTO sekisho.contexts (issuer, project_id, origin) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    values,
  )
  const [row] = await query(
    'SELECT id FROM sekisho.contexts WHERE issuer = $1 AND project_id = $2 AND origin = $3',
    values,
  )
  return Number(row?.id)
}

/** Sessions in PostgreSQL, of one context, or for an operator's command (null) of all. Closing it leaves the database open. */
export function createPostgresSessions(database: Database, context: number | null): SessionStore {
  const { query, transaction } = database
  const elapsed = () => performance.now()
  const holder = randomUUID()
  let leasedAtMs = Number.NEGATIVE_INFINITY
  let refusedAtMs = Number.NEGATIVE_INFINITY
  let lookAtMs = 0

  const listeners: ChangeListener[] = []
  database.subscribe((channel, payload) => {
    lookAtMs = channel === 'sekisho_revoked' ? 0 : lookAtMs
    if (channel !== 'sekisho_ended') return
    for (const listener of listeners) listener(payload === '' ? null : payload.split(','))
  })

  async function select(rest: string, values: readonly unknown[], name?: string): Promise<SessionRow[]> {
    return (await query(`SELECT ${COLUMNS} FROM sekisho.sessions ${rest}`, values, name)).map(readSessionRow)
  }

  return {
    async find(key) {
      const [row] = await select('WHERE key = $1 AND context = $2', [key, context], 'find_session')
      return row ?? null
    },
    ofAccount: (sub) => select('WHERE context = $1 AND sub = $2', [context, sub]),
    insert: (row, { digest, expiresAtMs }) =>
      transaction(async (ask): Promise<InsertResult> => {
        const spent = await ask(
          'INSERT INTO sekisho.spent_tokens VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1',
          [digest, expiresAtMs],
        )
        if (spent.length === 0) return 'replayed'
        if (row.parent !== undefined) {
          const from = 'SELECT 1 FROM sekisho.sessions WHERE key = $1 AND context = $2'
          if ((await ask(from, [row.parent, context])).length === 0) return 'parent_ended'
        }
        const address = [context, row.email.toLowerCase()]
        await ask('INSERT INTO sekisho.accounts VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
          ...address,
          row.sub,
        ])
        const [bound] = await ask(
          'SELECT sub FROM sekisho.accounts WHERE context = $1 AND email = $2',
          address,
        )
        if (bound?.sub !== row.sub) return 'account_changed'
        await ask(
          `INSERT INTO sekisho.sessions (context, ${COLUMNS})
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
          [
            context,
            row.key,
            row.id,
            row.sub,
            row.email,
            row.name,
            row.device,
            row.address,
            row.startedAtMs,
            row.lastSeenAtMs,
            row.provenAtMs,
            Buffer.from(row.refresh),
            row.parent ?? null,
          ],
        )
        return 'inserted'
      }),
    async remove(ends) {
      const kept = ends.filter(({ reason }) => reason !== null)
      await query(
        `WITH gone AS (DELETE FROM sekisho.sessions WHERE key = ANY($1::text[]))
         INSERT INTO sekisho.session_ends SELECT * FROM unnest($2::text[], $3::text[], $4::bigint[])
         ON CONFLICT DO NOTHING`,
        [ends.map(({ key }) => key), ...columnsOf(kept)],
      )
    },
    async findEndReason(key) {
      const [row] = await query('SELECT reason FROM sekisho.session_ends WHERE key = $1', [key])
      return END_REASONS.find((reason) => reason === row?.reason) ?? null
    },
    async markSeen(rows) {
      await query(
        `UPDATE sekisho.sessions SET last_seen_at = seen.at FROM unnest($1::text[], $2::bigint[]) AS seen (key, at)
         WHERE sessions.key = seen.key AND last_seen_at < seen.at`,
        [rows.map(({ key }) => key), rows.map(({ lastSeenAtMs }) => lastSeenAtMs)],
      )
    },
    async markProven(rows) {
      await query(
        `UPDATE sekisho.sessions SET proven_at = proof.at, refresh = proof.refresh
         FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bytea[]) AS proof (key, previous, at, refresh)
         WHERE sessions.key = proof.key AND proven_at = proof.previous`,
        [
          rows.map(({ key }) => key),
          rows.map(({ previousProofAtMs }) => previousProofAtMs),
          rows.map(({ provenAtMs }) => provenAtMs),
          rows.map(({ refresh }) => Buffer.from(refresh)),
        ],
      )
    },
    listDue: (provenByMs, after) =>
      select(
        `WHERE context = $1 AND parent IS NULL AND proven_at <= $2 AND (proven_at, key) > ($3, $4)
         ORDER BY proven_at, key LIMIT ${MAX_ROWS}`,
        [context, provenByMs, after?.provenAtMs ?? Number.MIN_SAFE_INTEGER, after?.key ?? ''],
      ),
    async holdProving() {
      const askedAtMs = elapsed()
      if (askedAtMs < leasedAtMs + RENEW_MS) return true
      if (askedAtMs < refusedAtMs + LOOK_MS) return false
      const taken = await query(
        `INSERT INTO sekisho.leases AS lease VALUES ($1, 'proving', $2, now() + make_interval(secs => $3))
         ON CONFLICT (context, name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
         WHERE lease.holder = excluded.holder OR lease.expires_at < now()
         RETURNING 1`,
        [context, holder, LEASE_SECONDS],
      )
      leasedAtMs = taken.length > 0 ? askedAtMs : Number.NEGATIVE_INFINITY
      refusedAtMs = taken.length > 0 ? Number.NEGATIVE_INFINITY : askedAtMs
      return taken.length > 0
    },
    async removeExpired({ startedMs, seenMs }, atMs) {
      const rows = await query(
        `WITH gone AS (
           DELETE FROM sekisho.sessions WHERE key IN (
             SELECT key FROM sekisho.sessions
             WHERE context = $1 AND (started_at <= $2 OR last_seen_at <= $3) LIMIT ${MAX_ROWS}
           ) RETURNING ${COLUMNS}
         ), kept AS (
           INSERT INTO sekisho.session_ends
           SELECT key, CASE WHEN started_at <= $2 THEN 'absolute' ELSE 'idle' END, $4 FROM gone
           ON CONFLICT DO NOTHING
         ) SELECT * FROM gone`,
        [context, startedMs, seenMs, atMs],
      )
      return rows.map(readSessionRow)
    },
    async followClock(nowMs, dueMs) {
      const values = [context, nowMs + CLOCK_SLACK_MS, nowMs + MAX_CLOCK_STEP_MS]
      const where = 'WHERE context = $1 AND started_at <= $3 AND'
      await query(`UPDATE sekisho.sessions SET last_seen_at = $4 ${where} last_seen_at > $2`, [
        ...values,
        nowMs,
      ])
      await query(`UPDATE sekisho.sessions SET proven_at = $4 ${where} proven_at > $2`, [...values, dueMs])
    },
    async count() {
      const [row] = await query(
        `SELECT count(*) AS sessions, min(proven_at) FILTER (WHERE parent IS NULL) AS oldest
         FROM sekisho.sessions WHERE context = $1`,
        [context],
      )
      const oldest = row?.oldest ?? null
      return { sessions: Number(row?.sessions), oldestProofAtMs: oldest === null ? null : Number(oldest) }
    },
    async forgetSpent(beforeMs) {
      await query('DELETE FROM sekisho.spent_tokens WHERE expires_at < $1', [beforeMs])
    },
    async forgetEnds(beforeMs) {
      await query('DELETE FROM sekisho.session_ends WHERE ended_at < $1', [beforeMs])
    },

    maxAgeMs: 1_000,
    hears: () => database.hears(),
    subscribe: (listener) => void listeners.push(listener),
    async takeRevocations() {
      if (elapsed() < lookAtMs) return []
      lookAtMs = elapsed() + LOOK_MS
      const rows = await query(
        `DELETE FROM sekisho.revocations WHERE id IN (
           SELECT id FROM sekisho.revocations LIMIT ${MAX_ROWS}
         ) RETURNING id, email`,
      )
      if (rows.length === MAX_ROWS) lookAtMs = 0
      return rows.map(readRevocation)
    },

    list: () => select('WHERE $1::integer IS NULL OR context = $1', [context]),
    async revoke(filter, atMs) {
      const [condition, value] = conditionOf(filter)
      const rows = await query(
        `WITH gone AS (DELETE FROM sekisho.sessions WHERE ${condition} RETURNING key, id, email),
         noted AS (INSERT INTO sekisho.revocations SELECT id, email FROM gone ON CONFLICT DO NOTHING),
         kept AS (INSERT INTO sekisho.session_ends SELECT key, 'revoked', $2 FROM gone ON CONFLICT DO NOTHING)
         SELECT id, email FROM gone`,
        [value, atMs],
      )
      return rows.map(readRevocation)
    },
    async unbind(email) {
      const rows = await query('DELETE FROM sekisho.accounts WHERE email = $1 RETURNING 1', [
        email.toLowerCase(),
      ])
      return rows.length > 0
    },
    async close() {
      if (leasedAtMs === Number.NEGATIVE_INFINITY) return
      await query('DELETE FROM sekisho.leases WHERE holder = $1', [holder]).catch(() => {}) // it ends by itself
    },
  }
}

function conditionOf(filter: RevocationFilter): readonly [condition: string, value: string] {
  if ('id' in filter) return ['id = $1::text', filter.id]
  if ('email' in filter) return ['lower(email) = $1::text', filter.email.toLowerCase()]
  return ["$1::text = ''", '']
}

function columnsOf(ends: readonly SessionEnd[]) {
  return [
    ends.map(({ key }) => key),
    ends.map(({ reason }) => reason),
    ends.map(({ endedAtMs }) => endedAtMs),
  ]
}
