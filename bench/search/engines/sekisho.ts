import { join } from 'node:path'
import { buildIndex } from '@sekisho/search/indexer'
import { openIndex } from '@sekisho/search/query'
import { LIMIT, type SearchEngineSubject } from '../engine.ts'

export const sekisho: SearchEngineSubject = {
  name: 'Sekisho',
  async build(pages, folder) {
    await buildIndex({ pages, outFile: join(folder, 'search.db'), cacheDir: `${folder}-cache` })
  },
  async open(folder) {
    const engine = openIndex(join(folder, 'search.db'))
    return (q) => engine.search({ q, limit: LIMIT }).results.map(({ id }) => id)
  },
}
