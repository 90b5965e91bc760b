import type { Database, Query } from '../../../storage/database/database.ts'
import { readSessionRow, SESSION_COLUMNS, sessionValues } from '../rows/read-row.ts'
import type { SessionRow } from '../rows/session.ts'
import {
  type InsertResult,
  MAX_CLOCK_STEP_MS,
  type SessionRows,
  type SpentToken,
} from '../rows/session-store.ts'
import type { RecentWrites } from './recent-writes.ts'

/** Clocks of gates differ by less; only what is further ahead was written before a clock was set back. */
const CLOCK_SLACK_MS = 60_000

/** Selects sessions by the rest of a statement; `name` keeps it prepared. */
export async function selectSessions(
  { query }: Pick<Database, 'query'>,
  rest: string,
  values: readonly unknown[],
  name?: string,
): Promise<SessionRow[]> {
  return (await query(`SELECT ${SESSION_COLUMNS} FROM sekisho.sessions ${rest}`, values, name)).map(
    readSessionRow,
  )
}

/** Living sessions, bound accounts and spent tokens. */
export function createRows(
  database: Database,
  context: number | null,
  recent: Pick<RecentWrites, 'hasEnded' | 'noteSpent'>,
): SessionRows {
  const { query, transaction } = database
  return {
    async find(key) {
      if (recent.hasEnded(key)) return null
      const values = [key, context]
      const [row] = await selectSessions(database, 'WHERE key = $1 AND context = $2', values, 'find_session')
      return row ?? null
    },
    ofAccount: ({ issuer, sub }) =>
      selectSessions(database, 'WHERE context = $1 AND issuer = $2 AND sub = $3', [context, issuer, sub]),
    ofIssuerSession: (issuer, sid) =>
      selectSessions(database, 'WHERE context = $1 AND issuer = $2 AND sid = $3', [context, issuer, sid]),
    async insert(row, spent) {
      const result = await transaction((ask) => insert(ask, context, row, spent))
      if (result === 'inserted') recent.noteSpent(spent, row)
      return result
    },
    async markSeen(rows) {
      await query(
        `UPDATE sekisho.sessions SET last_seen_at = seen.at FROM unnest($1::text[], $2::bigint[]) AS seen (key, at)
         WHERE sessions.key = seen.key AND last_seen_at < seen.at`,
        [rows.map(({ key }) => key), rows.map(({ lastSeenAtMs }) => lastSeenAtMs)],
      )
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
  }
}

async function insert(
  ask: Query,
  context: number | null,
  row: SessionRow,
  { digest, expiresAtMs }: SpentToken,
): Promise<InsertResult> {
  const spent = await ask(
    'INSERT INTO sekisho.spent_tokens VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1',
    [digest, expiresAtMs],
  )
  if (spent.length === 0) return 'replayed'
  if (row.parent !== undefined) {
    const from = 'SELECT 1 FROM sekisho.sessions WHERE key = $1 AND context = $2'
    if ((await ask(from, [row.parent, context])).length === 0) return 'parent_ended'
  }
  if (row.vouched.address && !(await isBound(ask, context, row))) return 'account_changed'
  await ask(
    `INSERT INTO sekisho.sessions (context, ${SESSION_COLUMNS})
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
    [context, ...sessionValues(row)],
  )
  return 'inserted'
}

/** Binds a verified address to the first account that uses it; false where it is another's. */
async function isBound(ask: Query, context: number | null, row: SessionRow): Promise<boolean> {
  const address = [context, row.email.toLowerCase(), row.issuer]
  const bind =
    'INSERT INTO sekisho.accounts (context, email, issuer, sub) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING'
  await ask(bind, [...address, row.sub])
  const selectBound = 'SELECT sub FROM sekisho.accounts WHERE context = $1 AND email = $2 AND issuer = $3'
  const [bound] = await ask(selectBound, address)
  return bound?.sub === row.sub
}
