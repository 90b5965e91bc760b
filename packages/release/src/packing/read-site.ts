import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson, ShapeReader } from '@sekisho/contract/json-shape'
import { readSiteJson, SIDECAR, type SiteJson } from '@sekisho/contract/site-json'
import { ReleaseError } from '../errors.ts'

/** Reads the `site.json` of a build, or throws {@link ReleaseError} with every problem it has. */
export async function readSite(buildDir: string): Promise<SiteJson> {
  const where = `${SIDECAR}/site.json`
  const text = await readFile(join(buildDir, SIDECAR, 'site.json'), 'utf8').catch(() => {
    throw new ReleaseError('site_invalid', [
      `${where} is missing in ${buildDir}: the site's config does not list the theme 'sekisho/docusaurus'; npx sekisho init adds it`,
    ])
  })
  const shape = new ShapeReader()
  const site = readSiteJson(parseJson(text, where, shape), where, shape)
  if (shape.problems.length > 0) throw new ReleaseError('site_invalid', shape.problems)
  return site
}
