import type { IndexPage } from '@sekisho/search/indexer'

/** Returns for a query the ids of pages, best first. */
type Find = (q: string) => readonly string[] | Promise<readonly string[]>

/** A search engine under measurement, driven as its own documentation says. */
export interface SearchEngineSubject {
  readonly name: string
  /** Writes whatever the engine serves from into a folder. */
  build(pages: readonly IndexPage[], folder: string): Promise<void>
  /** Makes it ready to answer, in a process that has done nothing else. */
  open(folder: string): Promise<Find>
}

/** Number of pages that each query asks of every engine. */
export const LIMIT = 10
