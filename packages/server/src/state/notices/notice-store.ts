import { randomUUID } from 'node:crypto'
import type { Account } from '../sessions/rows/session.ts'
import type { Row, Sql } from '../sql/sql.ts'

/** A notice to be sent once. Its content is made when it is sent, and never kept. */
export interface Notice {
  /** Identifies it for ever: for other gates, and for those who receive it. */
  readonly key: string
  /** `webhook`, an owner's address, or an account of a reader as JSON. */
  readonly recipient: string
  readonly kind: 'publication' | 'digest' | 'owner' | 'watch'
  /** The release of a publication; of any other kind the day it is of. */
  readonly subject: string
  readonly createdAtMs: number
}

/** A notice that one gate may send now. */
export interface ClaimedNotice extends Notice {
  /** Names this attempt: no other one can settle it. */
  readonly claim: string
  /** Attempts so far, this one included. */
  readonly attempts: number
}

/** Outcome of an attempt: done, or when to try again. */
export type NoticeOutcome = { readonly state: 'sent' | 'dropped' } | { readonly retryAtMs: number }

/** Numbers of notices that are kept. */
export interface NoticeCounts {
  readonly waiting: number
  /** Of those, notices whose last attempt failed. */
  readonly failing: number
  /** Notices given up in the last hundred days. */
  readonly dropped: number
}

/** Folders of which a reader asked to be told. */
export interface Watch extends Account {
  readonly email: string
  /** Decoded paths, as in `/docs/payments/`. */
  readonly folders: readonly string[]
  readonly atMs: number
}

/** Waiting notices, and readers who asked for some. Every method fails when the store cannot be asked. */
export interface NoticeStore {
  /** Adds a notice; false if its key is known, also of one that was sent. */
  add(notice: Notice): Promise<boolean>
  /** Leases the notice that waits longest to one gate until `untilMs`; null where none is due. */
  claim(atMs: number, untilMs: number): Promise<ClaimedNotice | null>
  /** Records the outcome of an attempt; false if it is no longer that attempt's. */
  settle({ key, claim }: ClaimedNotice, outcome: NoticeOutcome, atMs: number): Promise<boolean>
  count(): Promise<NoticeCounts>
  findWatch(account: Account): Promise<Watch | null>
  /** Replaces the watch of an account; one without folders is deleted. */
  putWatch(watch: Watch): Promise<void>
  /** At most `limit` watches behind an account, in order; from the first one for null. */
  listWatches(after: Account | null, limit: number): Promise<readonly Watch[]>
}

/** Retention of settled notices: longer than any of them could be asked for again. */
export const KEEP_MS = 100 * 86_400_000
/** A watch ends this long after it was last saved. */
export const WATCH_MS = 400 * 86_400_000

/** Keeps notices on either database: of several gates each notice is leased to one at a time. */
export function createNoticeStore({ query, together }: Sql): NoticeStore {
  return {
    async add({ key, kind, recipient, subject, createdAtMs }) {
      await query('DELETE FROM sekisho.notices WHERE created_at < $1', [createdAtMs - KEEP_MS])
      const added = await query(
        `INSERT INTO sekisho.notices (key, kind, recipient, subject, created_at, due_at, claim, attempts, state)
         VALUES ($1, $2, $3, $4, $5, $5, '', 0, 'waiting') ON CONFLICT DO NOTHING RETURNING 1 AS one`,
        [key, kind, recipient, subject, createdAtMs],
      )
      return added.length > 0
    },
    async claim(atMs, untilMs) {
      const [row] = await query(
        `UPDATE sekisho.notices SET claim = $1, due_at = $2, attempts = attempts + 1 WHERE key =
         (SELECT key FROM sekisho.notices WHERE state = 'waiting' AND due_at <= $3 ORDER BY due_at, key LIMIT 1 FOR UPDATE SKIP LOCKED)
         RETURNING *`,
        [randomUUID(), untilMs, atMs],
      )
      return row === undefined ? null : readNotice(row)
    },
    async settle({ key, claim }, outcome, atMs) {
      const [state, dueAtMs] = 'state' in outcome ? [outcome.state, atMs] : ['waiting', outcome.retryAtMs]
      const settled = await query(
        `UPDATE sekisho.notices SET state = $1, due_at = $2, claim = '' WHERE key = $3 AND claim = $4 RETURNING 1 AS one`,
        [state, dueAtMs, key, claim],
      )
      return settled.length > 0
    },
    async count() {
      const [row] = await query(
        `SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting, count(*) FILTER (WHERE state = 'dropped') AS dropped,
           count(*) FILTER (WHERE state = 'waiting' AND attempts > 0 AND claim = '') AS failing FROM sekisho.notices`,
      )
      return {
        waiting: Number(row?.waiting),
        failing: Number(row?.failing),
        dropped: Number(row?.dropped),
      }
    },
    async findWatch({ issuer, sub }) {
      const [row] = await query('SELECT * FROM sekisho.watches WHERE issuer = $1 AND sub = $2', [issuer, sub])
      return row === undefined ? null : readWatch(row)
    },
    async putWatch({ issuer, sub, email, folders, atMs }) {
      const remove = 'DELETE FROM sekisho.watches WHERE (issuer = $1 AND sub = $2) OR at < $3'
      const insert =
        'INSERT INTO sekisho.watches (issuer, sub, email, folders, at) VALUES ($1, $2, $3, $4, $5)'
      const kept = [issuer, sub, email, JSON.stringify(folders), atMs]
      await together([
        [remove, [issuer, sub, atMs - WATCH_MS]],
        ...(folders.length > 0 ? [[insert, kept] as const] : []),
      ])
    },
    async listWatches(after, limit) {
      const rows = await query(
        'SELECT * FROM sekisho.watches WHERE (issuer, sub) > ($1, $2) ORDER BY issuer, sub LIMIT $3',
        [after?.issuer ?? '', after?.sub ?? '', limit],
      )
      return rows.map(readWatch)
    },
  }
}

function readNotice(row: Row): ClaimedNotice {
  const text = (name: string): string => String(row[name])
  return {
    key: text('key'),
    kind: text('kind') as Notice['kind'],
    recipient: text('recipient'), // a gate wrote it
    subject: text('subject'),
    createdAtMs: Number(row.created_at),
    claim: text('claim'),
    attempts: Number(row.attempts),
  }
}

function readWatch(row: Row): Watch {
  const text = (name: string): string => String(row[name])
  const folders: readonly string[] = JSON.parse(text('folders'))
  return { issuer: text('issuer'), sub: text('sub'), email: text('email'), folders, atMs: Number(row.at) }
}
