import { mkdir, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Stage } from './stage-site.ts'

/**
 * Caches that are an edition's own. The indexer's, because an index that is changed page by page keeps words of pages that went, and another
 * edition's were never there; that of rendered pages, because it holds one for each address, and each edition's has another menu.
 */
const OWN_CACHES = [
  ['.cache/sekisho-search', 'edition-searches'],
  ['node_modules/.cache/sekisho-pages', 'edition-pages'],
] as const

/** Puts the caches of an edition where its build looks for them. */
export async function useOwnCaches(stage: Stage, siteDir: string, name: string): Promise<void> {
  for (const [place, caches] of OWN_CACHES) {
    const [link, folder] = [join(stage.siteDir, place), join(siteDir, '.cache', caches, name)]
    await mkdir(folder, { recursive: true })
    await mkdir(dirname(link), { recursive: true })
    await rm(link, { recursive: true, force: true })
    await symlink(folder, link)
  }
}
