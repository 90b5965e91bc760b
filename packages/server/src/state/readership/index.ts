import { MAX_PATHS, type PageWeek, type ReadershipStore } from './readership-store.ts'
import { weekOf } from './weeks.ts'

export type { PageReader, PageWeek, ReadershipStore } from './readership-store.ts'
export { MIN_READERS } from './readership-store.ts'
export { weekOf } from './weeks.ts'

/** Weeks for which counts are kept. */
export const KEEP_WEEKS = 53
/** Weeks after which a page that was not opened counts as unread: 180 days. */
const UNREAD_WEEKS = 26

/** Readers of pages, and pages that were not opened for 180 days. */
interface Readership {
  /** Closed weeks of each page that was opened in {@link UNREAD_WEEKS}. */
  readonly weeks: ReadonlyMap<string, readonly PageWeek[]>
  /** Null while the record is younger than that. */
  readonly unread: readonly string[] | null
}

/** Reads the counts of pages as of a day. */
export async function readReadership(
  store: Pick<ReadershipStore, 'ofPages' | 'firstWeek'>,
  paths: readonly string[],
  today: string,
): Promise<Readership> {
  const from = weekOf(today, -UNREAD_WEEKS)
  const rows: PageWeek[] = []
  for (let at = 0; at < paths.length; at += MAX_PATHS)
    rows.push(...(await store.ofPages(paths.slice(at, at + MAX_PATHS), from)))
  const weeks = Map.groupBy(rows, ({ path }) => path)
  const first = await store.firstWeek()
  const isOld = first !== null && first <= from
  return { weeks, unread: isOld ? paths.filter((path) => !weeks.has(path)) : null }
}
