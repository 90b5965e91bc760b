import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { SiteJson } from '@sekisho/contract/site-json'
import type { IndexPage } from '@sekisho/search/indexer'
import Tinypool from 'tinypool'
import { keyOfInput } from './kept-results.ts'
import { readPage } from './read-page.ts'

/** Site data for the threads. */
export interface PageJobData {
  readonly outDir: string
  /** Keys of the pages that need not be read again. */
  readonly known: readonly string[]
}

/** A page as it was read: nothing is made when its key is known, and null when it is not to be found. */
export interface ReadResult {
  readonly key: string
  readonly made?: IndexPage | null
}

let readInThread: ReturnType<typeof createPageReader> | undefined

/** Reads a batch of pages; runs in a thread of the pool, which is told about the site once. */
export default function readBatch(pages: SiteJson['pages']): readonly ReadResult[] {
  readInThread ??= createPageReader(Tinypool.workerData)
  return pages.map(readInThread)
}

/** Reads built pages for the index. */
export function createPageReader({ outDir, known }: PageJobData) {
  const keys = new Set(known)
  return (page: SiteJson['pages'][number]): ReadResult => {
    const html = readFileSync(path.join(outDir, page.file), 'utf8')
    const key = keyOfInput(`${JSON.stringify([page.path, page.title])}\n${html}`)
    if (keys.has(key)) return { key }
    const built = { path: page.path, title: page.title, html }
    return { key, made: readPage(built) }
  }
}
