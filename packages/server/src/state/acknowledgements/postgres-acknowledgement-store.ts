import type { Database } from '../../storage/database/database.ts'
import {
  type AcknowledgementStore,
  COLUMNS,
  MAX_OF_ACCOUNT,
  MAX_REVIEWS,
  REVIEW_VERSIONS,
  readRow,
  valuesOf,
} from './acknowledgement-store.ts'

/** The columns compare by their bytes, as in SQLite. */
const KEY = 'path, version, issuer, sub'

/** Acknowledgements of all gates on a database. Closing it leaves the database open. */
export function createPostgresAcknowledgements({ query }: Pick<Database, 'query'>): AcknowledgementStore {
  return {
    async add(one) {
      const rows = await query(
        `INSERT INTO sekisho.acknowledgements (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING 1 AS added`,
        [...valuesOf(one)],
      )
      return rows.length > 0
    },
    ofAccount: async ({ issuer, sub }) =>
      (
        await query(
          'SELECT * FROM sekisho.acknowledgements WHERE issuer = $1 AND sub = $2 ORDER BY at DESC LIMIT $3',
          [issuer, sub, MAX_OF_ACCOUNT],
        )
      ).map(readRow),
    reviews: async (paths) =>
      (
        await query(
          `SELECT found.* FROM unnest($1::text[]) AS asked (path) CROSS JOIN LATERAL (
             SELECT * FROM sekisho.acknowledgements WHERE path = asked.path COLLATE "C" AND version >= $2 AND version < $3
             ORDER BY version DESC LIMIT $4) AS found`,
          [[...paths], ...REVIEW_VERSIONS, MAX_REVIEWS],
        )
      ).map(readRow),
    async compare({ path, version }, emails) {
      const of = 'FROM sekisho.acknowledgements WHERE path = $1 AND version = $2'
      const [counted] = await query(`SELECT count(*) AS done ${of}`, [path, version])
      const missing = await query(
        `SELECT asked.email FROM unnest($3::text[]) WITH ORDINALITY AS asked (email, at)
         WHERE NOT EXISTS (SELECT 1 ${of} AND lower(email) = asked.email COLLATE "C") ORDER BY at`,
        [path, version, [...emails]],
      )
      return { done: Number(counted?.done), missing: missing.map(({ email }) => String(email)) }
    },
    async list(after, limit) {
      const [behind, values] =
        after === null
          ? ['', []]
          : [`WHERE (${KEY}) > ($2, $3, $4, $5)`, [after.path, after.version, after.issuer, after.sub]]
      const rows = await query(`SELECT * FROM sekisho.acknowledgements ${behind} ORDER BY ${KEY} LIMIT $1`, [
        limit,
        ...values,
      ])
      return rows.map(readRow)
    },
    close: async () => {},
  }
}
