import { existsSync } from 'node:fs'
import { cp, mkdir, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Stage } from './stage-site.ts'

/**
 * Caches separate for each edition. An index changed page by page keeps words of removed pages, which another edition never had; rendered
 * pages are cached by address, and each edition has its own menu.
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
 * Copies rendered pages from another edition's cache where the own one lacks them. Most are alike, and a hash of all inputs guards each, so
 * differing pages are rendered anyway.
 */
export async function takePagesOf(siteDir: string, other: string, name: string, sinceMs: number) {
  const from = cacheOf(siteDir, PAGES, other)
  const isWanted = async (source: string, target: string) => {
    const known = await stat(source)
    return known.isDirectory() || known.mtimeMs >= sinceMs || !existsSync(target)
  }
  await cp(from, cacheOf(siteDir, PAGES, name), {
    recursive: true,
    preserveTimestamps: true,
    filter: isWanted,
  })
}
