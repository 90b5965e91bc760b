import { hash } from 'node:crypto'
import type { PublisherRight } from '@sekisho/contract/publishing'
import type { SpentToken } from '../sessions/rows/session-store.ts'
import type { Row, Sql } from '../sql/sql.ts'
import { openSqlite } from '../sql/sqlite.ts'

/** A publish token as it is kept: its digest opens nothing. */
export interface PublishToken {
  readonly id: string
  /** The operator's name for it. */
  readonly name: string
  readonly may: readonly PublisherRight[]
  readonly createdAtMs: number
  readonly expiresAtMs: number
}

/** Stored publishers. Every method fails when the store is unavailable. */
export interface PublisherStore {
  /** Spends a token that counts once; false when it was spent before. */
  spend(digest: string, expiresAtMs: number): Promise<boolean>
  forgetSpent(beforeMs: number): Promise<void>
  findToken(digest: string): Promise<PublishToken | null>
  /** Tells if a token still exists. */
  hasToken(id: string): Promise<boolean>

  /** For operators. */
  addToken(digest: string, token: PublishToken): Promise<void>
  listTokens(): Promise<readonly PublishToken[]>
  removeToken(id: string): Promise<boolean>
  close(): Promise<void>
}

/**
 * Keeps publishers on either database.
 * @param prefix tells spent tokens of publishers from those of readers, where these are in the same table
 */
export function createPublisherStore(
  { query, close }: Sql,
  { prefix = '', noteSpent = () => {} }: { prefix?: string; noteSpent?: (spent: SpentToken) => void } = {},
): PublisherStore {
  return {
    async spend(own, expiresAtMs) {
      const digest = prefix + own
      const spent = await query(
        'INSERT INTO sekisho.spent_tokens (digest, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1 AS one',
        [digest, expiresAtMs],
      )
      if (spent.length > 0) noteSpent({ digest, expiresAtMs })
      return spent.length > 0
    },
    async forgetSpent(beforeMs) {
      await query('DELETE FROM sekisho.spent_tokens WHERE expires_at < $1', [beforeMs])
    },
    async findToken(digest) {
      const [row] = await query('SELECT * FROM sekisho.publish_tokens WHERE digest = $1', [digest])
      return row === undefined ? null : readTokenRow(row)
    },
    hasToken: async (id) =>
      (await query('SELECT 1 AS one FROM sekisho.publish_tokens WHERE id = $1', [id])).length > 0,
    async addToken(digest, { id, name, may, createdAtMs, expiresAtMs }) {
      await query(
        'INSERT INTO sekisho.publish_tokens (digest, id, name, may, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)',
        [digest, id, name, may.join(), createdAtMs, expiresAtMs],
      )
    },
    listTokens: async () =>
      (await query('SELECT * FROM sekisho.publish_tokens ORDER BY created_at, id')).map(readTokenRow),
    removeToken: async (id) =>
      (await query('DELETE FROM sekisho.publish_tokens WHERE id = $1 RETURNING 1 AS one', [id])).length > 0,
    close,
  }
}

/** The store of one machine, for commands. */
export const openSqlitePublishers = (file: string): PublisherStore =>
  createPublisherStore(openSqlite({ kind: 'publishers', file }))

function readTokenRow(row: Row): PublishToken {
  return {
    id: String(row.id),
    name: String(row.name),
    may: String(row.may).split(',') as PublisherRight[], // written from that type only
    createdAtMs: Number(row.created_at),
    expiresAtMs: Number(row.expires_at),
  }
}

/** Digest of a token, which is all that is stored: a leaked store cannot publish. */
export function digestOf(token: string): string {
  return hash('sha256', token, 'base64url')
}
