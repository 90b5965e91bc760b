import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson, ShapeReader } from '@sekisho/contract/json-shape'
import { readSiteJson, SIDECAR, type SiteJson } from '@sekisho/contract/site-json'
import { ReleaseError } from '../../errors.ts'
import { problemOf } from '../../texts/index.ts'

const SITE_JSON = `${SIDECAR}/site.json`

/** A path that only leads on, and the file of the build that says so. */
export interface SourcedRedirect {
  readonly from: string
  readonly to: string
  readonly source: string
}

/** A site with everything it has in all of its locales. */
export interface LocalisedSite extends SiteJson {
  readonly redirects: readonly SourcedRedirect[]
  /** Files of the pages for what is not there, of each locale. */
  readonly missing: ReadonlySet<string>
  /** Files of the build with the indexes of further locales and versions, by the path their pages are below. */
  readonly searches: ReadonlyMap<string, string>
  /** Language tags of further locales, by the same. */
  readonly locales: Readonly<Record<string, string>>
}

/**
 * Reads the `site.json` of a build and those of its further locales, which Docusaurus builds into folders of the first one.
 * Throws {@link ReleaseError} with every problem of one.
 */
export async function readLocalisedSite(buildDir: string): Promise<LocalisedSite> {
  const main = await readSite(buildDir)
  const folders = (await readdir(buildDir, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && existsSync(join(buildDir, entry.name, SITE_JSON)))
    .map(({ name }) => `${name}/`)
  const sites = await Promise.all(folders.map((folder) => readSite(join(buildDir, folder))))
  const problems = sites.flatMap(({ baseUrl }, index) =>
    baseUrl === main.baseUrl + folders[index]
      ? []
      : [problemOf('misplaced_locale', `${folders[index]}`, baseUrl, `${main.baseUrl}${folders[index]}`)],
  )
  if (problems.length > 0) throw new ReleaseError('site_invalid', problems)
  const pages = sites.flatMap((site, index) => {
    const { baseUrl, notFound: file, title } = site
    const missing = { path: baseUrl + file, file, title }
    return [...site.pages, missing].map((page) => ({ ...page, file: `${folders[index]}${page.file}` }))
  })
  const locales = sites.map(({ baseUrl, lang }) => [baseUrl, lang] as const)
  return {
    ...main,
    locales: Object.fromEntries(locales.sort(([one], [other]) => (one < other ? -1 : 1))),
    missing: new Set([main, ...sites].map(({ notFound }, index) => `${['', ...folders][index]}${notFound}`)),
    pages: [...main.pages, ...pages],
    redirects: [main, ...sites].flatMap(({ redirects }, index) =>
      redirects.map((redirect) => ({ ...redirect, source: `${['', ...folders][index]}${SITE_JSON}` })),
    ),
    unused: [main, ...sites].flatMap(({ unused = [] }, index) =>
      unused.map((name) => `${['', ...folders][index]}${name}`),
    ),
    searches: new Map([
      ...sites.map(({ baseUrl }, index) => [baseUrl, `${folders[index]}${SIDECAR}/search.db`] as const),
      ...[main, ...sites].flatMap(({ versions = [] }, index) =>
        versions.map(({ path, search }) => [path, `${['', ...folders][index]}${SIDECAR}/${search}`] as const),
      ),
    ]),
  }
}

/** Reads the `site.json` of one locale, or throws {@link ReleaseError} with every problem it has. */
async function readSite(buildDir: string): Promise<SiteJson> {
  const text = await readFile(join(buildDir, SITE_JSON), 'utf8').catch(() => {
    throw new ReleaseError('site_invalid', [problemOf('no_site_json', SITE_JSON, buildDir)])
  })
  const shape = new ShapeReader()
  const site = readSiteJson(parseJson(text, SITE_JSON, shape), SITE_JSON, shape)
  if (shape.problems.length > 0) throw new ReleaseError('site_invalid', shape.problems)
  return site
}
