import NotFound from '@theme/NotFound'
import type { PageRecord } from '../model.ts'
import type { LoadedModules } from './modules.ts'

/** A page whose code is here. `record` is null where the site has no page. */
export interface OpenPage {
  record: PageRecord | null
  modules: LoadedModules
  /** Modules of the layouts around it, by their index. */
  layouts: { [index: number]: LoadedModules }
}

/**
 * Where the site has no page. Its component is the smallest that brings the layout which every page has, so that it
 * is part of the main script and of no other.
 */
export const NOT_FOUND: OpenPage = { record: null, modules: { __comp: NotFound }, layouts: {} }

/** What a document starts with. */
export interface PageStart {
  /** The {@link import('../model.ts').FirstPage} as JSON in which no tag can begin. */
  text: string
  /** Scripts to ask for at once. */
  scripts: readonly string[]
}
