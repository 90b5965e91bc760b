import type { Database } from '../../storage/database/database.ts'
import type { SearchLogStore, SearchRecord } from './search-log-store.ts'

const PAGE = 1_000

/** The search log of one context, or for an operator's command (null) of all. */
export function createPostgresSearchLog(
  { query }: Pick<Database, 'query'>,
  context: number | null,
): SearchLogStore {
  return {
    async append(day, record) {
      const values =
        'hits' in record
          ? [record.hits, null, null, null, record.by === 'agent', record.reader ?? '']
          : [null, record.rank, record.page, plain(record.after ?? null), false, '']
      await query(
        'INSERT INTO sekisho.search_log (context, day, q, hits, rank, page, after, by_agent, reader, edition) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
        [context, day, plain(record.q), ...values, record.edition ?? ''],
      )
    },
    async removeBefore(day) {
      await query('DELETE FROM sekisho.search_log WHERE context = $1 AND ($2::date IS NULL OR day < $2)', [
        context,
        day,
      ])
    },
    async *read(fromDay) {
      for (let last: readonly unknown[] = [fromDay, 0]; ; ) {
        const rows = await query(
          `SELECT id, day::text, q, hits, rank, page, after, by_agent, reader, edition FROM sekisho.search_log
           WHERE ($1::integer IS NULL OR context = $1) AND (day, id) >= ($2, $3) ORDER BY day, id LIMIT ${PAGE + 1}`,
          [context, ...last],
        )
        for (const row of rows.slice(0, PAGE)) yield readRecord(row)
        const next = rows[PAGE]
        if (next === undefined) return
        last = [next.day, next.id]
      }
    },
  }
}

/** Without the one character that the database's text cannot hold. */
function plain(text: string | null): string | null {
  return text?.replaceAll('\0', '') ?? null
}

function readRecord(row: Readonly<Record<string, unknown>>): SearchRecord {
  const { hits, rank, page, after, by_agent: isAgent, reader, edition } = row
  const common = { q: String(row.q), ...(edition !== '' && { edition: String(edition) }) }
  return hits === null
    ? {
        ...common,
        rank: Number(rank),
        page: String(page),
        ...(after === null ? {} : { after: String(after) }),
      }
    : {
        ...{ ...common, hits: Number(hits) },
        ...(isAgent === true && { by: 'agent' as const }),
        ...(reader !== '' && { reader: String(reader) }),
      }
}
