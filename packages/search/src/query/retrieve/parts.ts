import type { DatabaseSync } from 'node:sqlite'
import { STORE } from '../../query-constants.ts'
import { createPages, type Pages } from './pages.ts'
import { createStore, type Store } from './store.ts'

/** A file that holds pages, and by how much the numbers of its pages are moved so that no two files share one. */
export interface IndexPart {
  readonly database: DatabaseSync
  readonly offset: number
}

/** Numbers the pages of several files one after the other. */
export function numberParts(databases: readonly DatabaseSync[]): readonly IndexPart[] {
  let offset = 0
  return databases.map((database) => {
    const part = { database, offset }
    offset += Number(database.prepare('SELECT max(id) AS id FROM page').get()?.id ?? 0)
    return part
  })
}

/** One store over several files. The relevance of a page is that among the pages of its file. */
export function createStoreOfParts(parts: readonly IndexPart[]): Store {
  const stores = parts.map(({ database, offset }) => ({ store: createStore(database), offset }))
  const [only] = stores
  if (only !== undefined && stores.length === 1) return only.store
  const ask = <T>(page: number, question: (store: Store, own: number) => T): T | undefined => {
    const one = stores.findLast(({ offset }) => page > offset)
    return one === undefined ? undefined : question(one.store, page - one.offset)
  }
  return {
    pages: sum(stores.map(({ store }) => store.pages)),
    exists: (match) => stores.some(({ store }) => store.exists(match)),
    count: (match) => Math.min(STORE.maxCounted, sum(stores.map(({ store }) => store.count(match)))),
    has: (page, match) => ask(page, (store, own) => store.has(own, match)) === true,
    meets: (page, condition) => ask(page, (store, own) => store.meets(own, condition)) === true,
    candidates: (match, condition, enough) =>
      stores
        .flatMap(({ store, offset }) =>
          store.candidates(match, condition, enough).map(({ page, relevance }) => ({
            page: page + offset,
            relevance,
          })),
        )
        .sort((one, other) => other.relevance - one.relevance)
        .slice(0, 2 * STORE.maxCandidates),
  }
}

/** The pages of several files. */
export function createPagesOfParts(parts: readonly IndexPart[]): Pages {
  const readers = parts.map(({ database, offset }) => ({ pages: createPages(database), offset }))
  const [only] = readers
  if (only !== undefined && readers.length === 1) return only.pages
  /** Results of each file, in the order of the request. */
  const readEach = <T>(
    ids: readonly number[],
    read: (pages: Pages, own: readonly number[]) => readonly T[],
  ) => {
    const found = new Map<number, T>()
    for (const [at, { pages, offset }] of readers.entries()) {
      const end = readers[at + 1]?.offset ?? Number.POSITIVE_INFINITY
      const mine = ids.filter((id) => id > offset && id <= end)
      const rows = read(
        pages,
        mine.map((id) => id - offset),
      )
      for (const [index, row] of rows.entries()) found.set(mine[index] ?? 0, row)
    }
    return ids.map((id) => found.get(id)).filter((row) => row !== undefined)
  }
  return {
    heads: (ids) =>
      readEach(ids, (pages, own) => pages.heads(own)).map((head, at) => ({
        ...head,
        id: ids[at] ?? head.id,
      })),
    sections: (ids) => readEach(ids, (pages, own) => pages.sections(own)),
    titles: (count) => readers.flatMap(({ pages }) => pages.titles(Math.ceil(count / readers.length))),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
