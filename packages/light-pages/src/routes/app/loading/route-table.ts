import { type PageRecord, pathKey, TABLE_DIR, type TableIndex } from '../../model.ts'

/** Finds pages by address, by loading the block of the table that holds them. Null for an address that has no page. */
export type FindRecord = (pathname: string) => Promise<PageRecord | null>

/** Creates the table from the name of its index and the record that came with the page. */
export function createRouteTable(indexFile: string, first: PageRecord | null): FindRecord {
  const requests = new Map<string, Promise<unknown>>()
  /** Each file is requested once; a failed request is forgotten, so that the next click tries again. */
  const once = <T>(file: string): Promise<T> => {
    const request = requests.get(file) ?? fetchTable<T>(file)
    requests.set(file, request)
    request.catch(() => requests.delete(file))
    return request as Promise<T>
  }
  return async (pathname) => {
    const key = pathKey(pathname)
    if (first !== null && pathKey(first.path) === key) return first
    const block = findBlock(await once<TableIndex>(indexFile), key)
    const records = block === null ? [] : await once<PageRecord[]>(block)
    return records.find(({ path }) => pathKey(path) === key) ?? null
  }
}

/** Reads one file of the route table. A reader who was signed out gets an error, and navigation reloads the page. */
export async function fetchTable<T>(file: string): Promise<T> {
  const response = await fetch(`${__webpack_require__.p}${TABLE_DIR}/${file}`)
  if (!response.ok) throw new Error(`Route table answered ${response.status}`)
  return (await response.json()) as T
}

/** File of the last block whose first address is not after the key; null when every block begins later. */
export function findBlock(index: TableIndex, key: string): string | null {
  return index.findLast(([firstKey]) => firstKey <= key)?.[1] ?? null
}
