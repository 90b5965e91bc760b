import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Account } from '../sessions/rows/session.ts'
import {
  type ClaimedNotice,
  COLUMNS,
  COUNTS,
  KEEP_MS,
  type Notice,
  type NoticeCounts,
  type NoticeOutcome,
  outcomeValues,
  readCounts,
  readNotice,
  readWatch,
  valuesOf,
  WATCH_MS,
  type Watch,
} from './notice-store.ts'

export const NOTICES_SCHEMA = `
  CREATE TABLE IF NOT EXISTS notices (
    key TEXT PRIMARY KEY, kind TEXT NOT NULL, recipient TEXT NOT NULL, subject TEXT NOT NULL, created_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL, claim TEXT NOT NULL, attempts INTEGER NOT NULL, state TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS notices_by_time ON notices (state, due_at);
  CREATE TABLE IF NOT EXISTS watches (
    issuer TEXT NOT NULL, sub TEXT NOT NULL, email TEXT NOT NULL, folders TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (issuer, sub)
  ) STRICT, WITHOUT ROWID;
`

/** Notices of one machine; each call blocks its thread. */
export function createSqliteNotices(db: DatabaseSync) {
  return {
    add(notice: Notice): boolean {
      db.prepare('DELETE FROM notices WHERE created_at < ?').run(notice.createdAtMs - KEEP_MS)
      const sql = `INSERT OR IGNORE INTO notices (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
      return db.prepare(sql).run(...valuesOf(notice)).changes > 0
    },
    claim(atMs: number, untilMs: number): ClaimedNotice | null {
      const sql = `UPDATE notices SET claim = ?, due_at = ?, attempts = attempts + 1 WHERE key =
        (SELECT key FROM notices WHERE state = 'waiting' AND due_at <= ? ORDER BY due_at, key LIMIT 1) RETURNING *`
      const row = db.prepare(sql).get(randomUUID(), untilMs, atMs)
      return row === undefined ? null : readNotice(row)
    },
    settle({ key, claim }: ClaimedNotice, outcome: NoticeOutcome, atMs: number): boolean {
      const sql = `UPDATE notices SET state = ?, due_at = ?, claim = '' WHERE key = ? AND claim = ?`
      return db.prepare(sql).run(...outcomeValues(outcome, atMs), key, claim).changes > 0
    },
    count: (): NoticeCounts => readCounts(db.prepare(`SELECT ${COUNTS} FROM notices`).get()),
    findWatch({ issuer, sub }: Account): Watch | null {
      const row = db.prepare('SELECT * FROM watches WHERE issuer = ? AND sub = ?').get(issuer, sub)
      return row === undefined ? null : readWatch(row)
    },
    putWatch({ issuer, sub, email, folders, atMs }: Watch): void {
      db.prepare('DELETE FROM watches WHERE (issuer = ? AND sub = ?) OR at < ?').run(
        issuer,
        sub,
        atMs - WATCH_MS,
      )
      if (folders.length > 0)
        db.prepare('INSERT INTO watches (issuer, sub, email, folders, at) VALUES (?, ?, ?, ?, ?)').run(
          ...[issuer, sub, email, JSON.stringify(folders), atMs],
        )
    },
    listWatches: (after: Account | null, limit: number): readonly Watch[] =>
      db
        .prepare('SELECT * FROM watches WHERE (issuer, sub) > (?, ?) ORDER BY issuer, sub LIMIT ?')
        .all(after?.issuer ?? '', after?.sub ?? '', limit)
        .map(readWatch),
  }
}
