import { parseOrNull } from '@sekisho/contract/json-shape'
import { createDailyFiles } from '../../storage/lines/daily-files.ts'
import type { SearchLogStore, SearchRecord } from './search-log-store.ts'

/** A folder with one file a day, `{ q, hits }` or `{ q, rank, page }` a line. */
export function createFileSearchLog(folder: string): SearchLogStore {
  return createDailyFiles(folder, asRecord)
}

function asRecord(value: unknown): SearchRecord | null {
  if (typeof value !== 'object' || value === null || !('q' in value) || typeof value.q !== 'string')
    return null
  const { q } = value
  const edition = 'edition' in value ? { edition: String(value.edition) } : {}
  if ('hits' in value && typeof value.hits === 'number')
    return {
      ...{ q, hits: value.hits, ...edition },
      ...('by' in value && value.by === 'agent' && { by: value.by }),
      ...('reader' in value && { reader: String(value.reader) }),
    }
  if ('rank' in value && typeof value.rank === 'number') {
    const after = 'after' in value && typeof value.after === 'string' ? { after: value.after } : {}
    return { q, rank: value.rank, page: 'page' in value ? String(value.page) : '', ...edition, ...after }
  }
  return null
}

/** Reads one line of a file; null for what is no search, or was cut short by a crash. */
export const readSearchLine = (line: string): SearchRecord | null => asRecord(parseOrNull(line))
