import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { ExplainedError } from '@sekisho/contract/explained-error'
import { createMessages } from '@sekisho/contract/language'
import { TEXTS } from '../texts/index.ts'

const messageOf = createMessages(TEXTS, 'init')

/** In the order in which Docusaurus looks for them. */
const CONFIG_FILES = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((type) => `docusaurus.config.${type}`)

/** Depth below the working folder at which a workspace's site is found: `apps/docs`, `packages/website`. */
const MAX_DEPTH = 2

/** A Docusaurus site on this machine. */
export interface Site {
  /** Absolute. */
  readonly dir: string
  /** Absolute path of the config. */
  readonly configFile: string
}

/** There is no site, more than one, or one that cannot be read; the message says what to do. */
export class SiteError extends ExplainedError {
  override readonly name = 'SiteError'
  readonly code = 'site_not_found'
}

/** Finds the site a command is about: the one named, else the one the folder belongs to, else the only one below it. */
export function findSite(cwd: string, named?: string): Site {
  if (named !== undefined) {
    const site = siteAt(resolve(cwd, named))
    if (site !== null) return site
    throw new SiteError(messageOf('no_such_site', resolve(cwd, named)))
  }
  const around = findSiteAround(cwd)
  if (around !== null) return around
  const [site, ...others] = findSitesBelow(cwd, MAX_DEPTH)
  if (site === undefined) throw new SiteError(messageOf('no_site'))
  if (others.length === 0) return site
  const names = [site, ...others].map(({ dir }) => relative(cwd, dir))
  throw new SiteError(messageOf('several_sites', names))
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
