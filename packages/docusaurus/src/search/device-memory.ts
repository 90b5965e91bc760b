import { READER_STORAGE_KEYS } from '@sekisho/contract/browser-storage'

/** A page this device has shown lately. */
export type RecentPage = { readonly title: string; readonly url: string }

/** The search history on this device, of one reader. */
export type DeviceMemory = { readonly queries: readonly string[]; readonly pages: readonly RecentPage[] }

const MAX_QUERIES = 6
const MAX_PAGES = 6
const MAX_CHARS = 200
const NOTHING: DeviceMemory = { queries: [], pages: [] }

/** The part of `localStorage` that is used; it throws where the browser forbids storage. */
export type ReaderStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Reads a reader's history; another reader's is ignored. */
export function readMemory(storage: ReaderStorage, reader: string): DeviceMemory {
  try {
    const value: unknown = JSON.parse(storage.getItem(READER_STORAGE_KEYS.searchMemory) ?? 'null')
    if (!isRecord(value) || value.reader !== reader) return NOTHING
    const queries = list(value.queries).filter((query) => typeof query === 'string')
    return {
      queries: queries.slice(0, MAX_QUERIES),
      pages: list(value.pages).flatMap(readPage).slice(0, MAX_PAGES),
    }
  } catch {
    return NOTHING
  }
}

/** Puts a query first. */
export function rememberQuery(storage: ReaderStorage, reader: string, query: string): void {
  const text = query.trim().slice(0, MAX_CHARS)
  if (text === '') return
  const { queries, pages } = readMemory(storage, reader)
  write(storage, reader, {
    queries: [text, ...queries.filter((known) => known !== text)].slice(0, MAX_QUERIES),
    pages,
  })
}

/** Puts a page first. */
export function rememberPage(storage: ReaderStorage, reader: string, page: RecentPage): void {
  const { queries, pages } = readMemory(storage, reader)
  write(storage, reader, {
    queries,
    pages: [page, ...pages.filter(({ url }) => url !== page.url)].slice(0, MAX_PAGES),
  })
}

/** Removes the history of any reader. */
export function forgetMemory(storage: ReaderStorage): void {
  try {
    storage.removeItem(READER_STORAGE_KEYS.searchMemory)
  } catch {
    // Without storage there is nothing to remove.
  }
}

function write(storage: ReaderStorage, reader: string, memory: DeviceMemory): void {
  try {
    storage.setItem(READER_STORAGE_KEYS.searchMemory, JSON.stringify({ reader, ...memory }))
  } catch {
    // Search works without history.
  }
}

function readPage(value: unknown): RecentPage[] {
  if (!isRecord(value) || typeof value.title !== 'string' || typeof value.url !== 'string') return []
  return value.url.startsWith('/') && !value.url.startsWith('//')
    ? [{ title: value.title, url: value.url }]
    : []
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
