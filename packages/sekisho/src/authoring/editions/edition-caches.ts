import { existsSync } from 'node:fs'
import { cp, mkdir, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Stage } from './stage-site.ts'

/**
 * Caches that are an edition's own. The indexer's, because an index that is changed page by page keeps words of pages that went, and another
 * edition's were never there; that of rendered pages, because it holds one for each address, and each edition's has another menu.
 */
const PAGES = 'edition-pages'
const OWN_CACHES = [
  ['.cache/sekisho-search', 'edition-searches'],
  ['node_modules/.cache/sekisho-pages', PAGES],
] as const

const cacheOf = (siteDir: string, cache: string, name: string) => join(siteDir, '.cache', cache, name)

/** Puts the caches of an edition where its build looks for them. */
export async function useOwnCaches(stage: Stage, siteDir: string, name: string): Promise<void> {
  for (const [place, caches] of OWN_CACHES) {
    const [link, folder] = [join(stage.siteDir, place), cacheOf(siteDir, caches, name)]
    await mkdir(folder, { recursive: true })
    await mkdir(dirname(link), { recursive: true })
    await rm(link, { recursive: true, force: true })
    await symlink(folder, link)
  }
}

/**
 * Gives an edition the pages that another one's build rendered since a time, and those that it has none of itself: most are alike, and
 * each is kept under a hash of all that it is made of, so that one that differs is rendered all the same.
 */
export async function takePagesOf(siteDir: string, other: string, name: string, sinceMs: number) {
  const from = cacheOf(siteDir, PAGES, other)
  const isWanted = async (source: string, target: string) => {
    const known = await stat(source)
    return known.isDirectory() || known.mtimeMs >= sinceMs || !existsSync(target)
  }
  await cp(from, cacheOf(siteDir, PAGES, name), {
    ...{ recursive: true, preserveTimestamps: true },
    filter: isWanted,
  })
}
