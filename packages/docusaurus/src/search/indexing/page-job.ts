import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { SiteJson } from '@sekisho/contract/site-json'
import type { IndexPage } from '@sekisho/search/indexer'
import { keyOfInput } from '../../results/kept-results.ts'
import { readPage } from './read-page.ts'

/** What threads are told about the site: maps as lists. */
export interface PageJobData {
  readonly outDir: string
  readonly lastVersions: readonly (readonly [plugin: string, version: string])[]
  /** Keys of the pages that need not be read again. */
  readonly known: readonly string[]
}

/** A page as it was read, null when it is not to be found, undefined when its key is known. */
export interface ReadResult {
  readonly key: string
  readonly made?: IndexPage | null
}

/** Reads built pages for the index. */
export function createJob({ outDir, lastVersions, known }: PageJobData) {
  const versions = new Map(lastVersions)
  const keys = new Set(known)
  return (page: SiteJson['pages'][number]): ReadResult => {
    const html = readFileSync(path.join(outDir, page.file), 'utf8')
    const key = keyOfInput(`${JSON.stringify([page.path, page.title, lastVersions])}\n${html}`)
    if (keys.has(key)) return { key }
    return { key, made: readPage({ path: page.path, title: page.title, html }, versions) }
  }
}
