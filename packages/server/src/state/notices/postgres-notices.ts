import { randomUUID } from 'node:crypto'
import type { Database } from '../../storage/database/database.ts'
import {
  COLUMNS,
  COUNTS,
  KEEP_MS,
  type NoticeStore,
  outcomeValues,
  readCounts,
  readNotice,
  readWatch,
  valuesOf,
  WATCH_MS,
} from './notice-store.ts'

/** Notices of all gates on a database: each is leased to one of them at a time. */
export function createPostgresNotices({
  query,
  transaction,
}: Pick<Database, 'query' | 'transaction'>): NoticeStore {
  return {
    async add(notice) {
      await query('DELETE FROM sekisho.notices WHERE created_at < $1', [notice.createdAtMs - KEEP_MS])
      const rows = await query(
        `INSERT INTO sekisho.notices (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING 1 AS added`,
        [...valuesOf(notice)],
      )
      return rows.length > 0
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
      const rows = await query(
        `UPDATE sekisho.notices SET state = $1, due_at = $2, claim = '' WHERE key = $3 AND claim = $4 RETURNING 1 AS settled`,
        [...outcomeValues(outcome, atMs), key, claim],
      )
      return rows.length > 0
    },
    count: async () => readCounts((await query(`SELECT ${COUNTS} FROM sekisho.notices`))[0]),
    async findWatch({ issuer, sub }) {
      const [row] = await query('SELECT * FROM sekisho.watches WHERE issuer = $1 AND sub = $2', [issuer, sub])
      return row === undefined ? null : readWatch(row)
    },
    putWatch: ({ issuer, sub, email, folders, atMs }) =>
      transaction(async (ask) => {
        await ask('DELETE FROM sekisho.watches WHERE (issuer = $1 AND sub = $2) OR at < $3', [
          issuer,
          sub,
          atMs - WATCH_MS,
        ])
        if (folders.length > 0)
          await ask(
            'INSERT INTO sekisho.watches (issuer, sub, email, folders, at) VALUES ($1, $2, $3, $4, $5)',
            [issuer, sub, email, JSON.stringify(folders), atMs],
          )
      }),
    listWatches: async (after, limit) =>
      (
        await query(
          'SELECT * FROM sekisho.watches WHERE (issuer, sub) > ($1, $2) ORDER BY issuer, sub LIMIT $3',
          [after?.issuer ?? '', after?.sub ?? '', limit],
        )
      ).map(readWatch),
  }
}
