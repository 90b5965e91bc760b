import { type PageRecord, pathKey, type TableIndex } from '../wire.ts'
import { fetchTable } from './fetch-table.ts'
import { findBlock } from './find-block.ts'

/** Finds pages by address: those it was told about at once, others by loading their block. */
export interface RouteTable {
  /** Null for an address that has no page. */
  find(pathname: string): Promise<PageRecord | null>
  /** Undefined while the address' block has not been loaded. */
  peek(pathname: string): PageRecord | null | undefined
}

/** Creates the table from the name of its index and the record that came with the page. */
export function createRouteTable(indexFile: string, first: PageRecord | null): RouteTable {
  const records = new Map<string, PageRecord | null>()
  if (first !== null) records.set(pathKey(first.path), first)
  const once = createOnce()

  async function find(pathname: string): Promise<PageRecord | null> {
    const key = pathKey(pathname)
    if (!records.has(key)) {
      const index = await once<TableIndex>(indexFile)
      const file = findBlock(index, key)
      for (const record of file === null ? [] : await once<PageRecord[]>(file)) {
        if (!records.has(pathKey(record.path))) records.set(pathKey(record.path), record)
      }
      if (!records.has(key)) records.set(key, null)
    }
    return records.get(key) ?? null
  }

  return { find, peek: (pathname) => records.get(pathKey(pathname)) }
}

/** Each file is asked for once; a failed request is forgotten, so that the next click tries again. */
function createOnce(): <T>(file: string) => Promise<T> {
  const requests = new Map<string, Promise<unknown>>()
  return <T>(file: string) => {
    const known = requests.get(file) ?? fetchTable<T>(file)
    requests.set(file, known)
    known.catch(() => requests.delete(file))
    return known as Promise<T>
  }
}
