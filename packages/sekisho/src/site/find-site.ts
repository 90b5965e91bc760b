import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** In the order in which Docusaurus looks for them. */
const CONFIG_FILES = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((type) => `docusaurus.config.${type}`)

/** How far below the working folder a workspace's site is looked for: `apps/docs`, `packages/website`. */
const MAX_DEPTH = 2

/** A Docusaurus site on this machine. */
export interface Site {
  /** Absolute. */
  readonly dir: string
  /** Absolute path of the config. */
  readonly configFile: string
}

/** There is no site, or more than one; the message says how to name one. */
export class SiteError extends Error {
  override readonly name = 'SiteError'
  readonly code = 'site_not_found'
}

/** Finds the site a command is about: the one named, else the one the folder belongs to, else the only one below it. */
export function findSite(cwd: string, named?: string): Site {
  if (named !== undefined) {
    const site = siteAt(resolve(cwd, named))
    if (site !== null) return site
    throw new SiteError(`${resolve(cwd, named)} is no Docusaurus site: it has no docusaurus.config file`)
  }
  const around = findSiteAround(cwd)
  if (around !== null) return around
  const [site, ...others] = findSitesBelow(cwd, MAX_DEPTH)
  if (site === undefined)
    throw new SiteError(
      'there is no Docusaurus site here; go to the folder of its docusaurus.config file, or name it with --site DIR',
    )
  if (others.length === 0) return site
  const names = [site, ...others].map(({ dir }) => relative(cwd, dir))
  throw new SiteError(`there are several sites here; name one with --site: ${names.join(', ')}`)
}

/** The site that a folder is, or lies in. */
export function findSiteAround(folder: string): Site | null {
  const parent = dirname(folder)
  return siteAt(folder) ?? (parent === folder ? null : findSiteAround(parent))
}

function siteAt(dir: string): Site | null {
  const name = CONFIG_FILES.find((file) => existsSync(join(dir, file)))
  return name === undefined ? null : { dir, configFile: join(dir, name) }
}

function findSitesBelow(folder: string, depth: number): readonly Site[] {
  if (depth === 0) return []
  const folders = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules',
  )
  return folders.flatMap(({ name }) => {
    const site = siteAt(join(folder, name))
    return site === null ? findSitesBelow(join(folder, name), depth - 1) : [site]
  })
}
