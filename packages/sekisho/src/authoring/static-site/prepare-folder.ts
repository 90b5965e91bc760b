import { hash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson, ShapeReader } from '@sekisho/contract/json-shape'
import { readSiteJson, SIDECAR, type SiteJson } from '@sekisho/contract/site-json'
import { ReleaseError } from '@sekisho/release'
import { withoutEnding } from '@sekisho/release/packing'
import type { NotEmbedded } from '@sekisho/search/indexer'
import { describeFolder, notFoundPage, SITE_JSON, type SiteNames, UNNAMED } from './describe-folder.ts'
import { type IndexPlace, indexFolder } from './index-folder.ts'
import { NOT_FOUND, readPages } from './read-folder.ts'

/** Holds the SHA-256 of the `site.json` that was written here: another one was written by hand or by a generator, and stays. */
const WRITTEN_HERE = join(SIDECAR, 'written-by-pack')

/** Findings of preparing a folder as a build. */
export interface PreparedFolder {
  /** Folders of further languages, each with a search of its own. */
  readonly languages: readonly string[]
  /** The page includes the gate's search and account buttons. */
  readonly hasBar: boolean
  /** The site has a name of its own. */
  readonly isNamed: boolean
  /** Pages that ask to be left out of the search. */
  readonly excluded: number
  /** Pages that are found by their words alone though a model is named; of several indexes the last one's. */
  readonly notEmbedded: NotEmbedded | null
}

type PrepareOptions = Omit<IndexPlace, 'outFile'>

/**
 * Makes a folder of HTML a build: with `site.json`, a page for what is not there, and a search index, where it has none of its own, and
 * the same for each folder of a further language.
 */
export async function prepareFolder(
  dir: string,
  names: SiteNames,
  { cacheDir, ...words }: PrepareOptions,
): Promise<PreparedFolder> {
  const pages = await readPages(dir)
  const hasBar = pages.some((page) => page.hasBar)
  let notEmbedded: NotEmbedded | null = null
  let excluded = 0
  if (await isDescribedByHand(dir)) {
    const known = (await readText(join(dir, SITE_JSON))) ?? ''
    const written = await readText(join(dir, WRITTEN_HERE))
    const outFile = join(dir, SIDECAR, 'search.db')
    const site = readOwn(known)
    if (written !== null || !(await isFile(outFile)))
      ({ notEmbedded, excluded } = await indexFolder(dir, site, { ...words, outFile, cacheDir }))
    return { languages: [], hasBar, isNamed: true, excluded, notEmbedded }
  }
  await forgetLanguages(dir)
  const sites = describeFolder(dir, pages, names)
  for (const [name, described] of sites) {
    const folder = join(dir, name)
    const site = await describe(folder, described)
    const outFile = join(folder, SIDECAR, 'search.db')
    const place = { ...words, outFile, cacheDir: join(cacheDir, name) }
    const indexed = await indexFolder(folder, site, place)
    notEmbedded = indexed.notEmbedded ?? notEmbedded
    excluded += indexed.excluded
  }
  const languages = [...sites.keys()].filter((name) => name !== '')
  const isNamed = names.title !== undefined || sites.get('')?.title !== UNNAMED
  return { languages, hasBar, isNamed, excluded, notEmbedded }
}

/** Tells if a folder was described by hand or by its generator. */
export async function isDescribedByHand(dir: string): Promise<boolean> {
  const known = await readText(join(dir, SITE_JSON))
  return known !== null && hash('sha256', known) !== (await readText(join(dir, WRITTEN_HERE)))
}

/** The page for what is not there under its other names, where there is no `404.html`. */
const OTHER_NOT_FOUND = /^404(?:\.html)?(?:\/index)?$/i

async function describe(dir: string, described: SiteJson): Promise<SiteJson> {
  const isThere = await isFile(join(dir, NOT_FOUND))
  const other = isThere
    ? undefined
    : described.pages.find(({ file }) => OTHER_NOT_FOUND.test(withoutEnding(file)))
  const site = other === undefined ? described : { ...described, notFound: other.file }
  const text = `${JSON.stringify(site, null, 1)}\n`
  await mkdir(join(dir, SIDECAR), { recursive: true })
  await writeFile(join(dir, SITE_JSON), text)
  await writeFile(join(dir, WRITTEN_HERE), hash('sha256', text))
  if (!isThere && other === undefined) await writeFile(join(dir, NOT_FOUND), notFoundPage(site))
  return site
}

/** Removes our descriptions of language folders before detecting them again. */
async function forgetLanguages(dir: string): Promise<void> {
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const folder = join(dir, entry.name)
    if (entry.isDirectory() && (await isFile(join(folder, WRITTEN_HERE))))
      await rm(join(folder, SIDECAR), { recursive: true })
  }
}

function readOwn(text: string): SiteJson {
  const shape = new ShapeReader()
  const site = readSiteJson(parseJson(text, SITE_JSON, shape), SITE_JSON, shape)
  if (shape.problems.length > 0) throw new ReleaseError('site_invalid', shape.problems)
  return site
}

/** Null when there is no such file. */
function readText(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch(() => null)
}

/** A folder may be named like a file. */
function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  )
}
