import { hash } from 'node:crypto'
import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson, ShapeReader } from '@sekisho/contract/json-shape'
import { readSiteJson, SIDECAR, type SiteJson } from '@sekisho/contract/site-json'
import { ReleaseError } from '@sekisho/release'
import { describeFolder, NOT_FOUND, notFoundPage, SITE_JSON, type SiteNames } from './describe-folder.ts'
import { indexFolder } from './index-folder.ts'

/** Holds the SHA-256 of the `site.json` that was written here: another one was written by hand or by a generator, and stays. */
const WRITTEN_HERE = join(SIDECAR, 'written-by-pack')

/** Makes a folder of HTML a build: with `site.json`, a page for what is not there, and a search index, where it has none of its own. */
export async function prepareFolder(dir: string, names: SiteNames, cacheDir: string): Promise<SiteJson> {
  const known = await readText(join(dir, SITE_JSON))
  const written = await readText(join(dir, WRITTEN_HERE))
  const isOwn = known !== null && hash('sha256', known) !== written
  const site = isOwn ? readOwn(known) : await describe(dir, names)
  const outFile = join(dir, SIDECAR, 'search.db')
  if (!isOwn || written !== null || !(await exists(outFile)))
    await indexFolder(dir, site, { outFile, cacheDir })
  return site
}

async function describe(dir: string, names: SiteNames): Promise<SiteJson> {
  const site = await describeFolder(dir, names)
  const text = `${JSON.stringify(site, null, 1)}\n`
  await mkdir(join(dir, SIDECAR), { recursive: true })
  await writeFile(join(dir, SITE_JSON), text)
  await writeFile(join(dir, WRITTEN_HERE), hash('sha256', text))
  if (!(await exists(join(dir, NOT_FOUND)))) await writeFile(join(dir, NOT_FOUND), notFoundPage(site))
  return site
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

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
