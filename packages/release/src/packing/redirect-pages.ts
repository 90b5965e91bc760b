import { readFile } from 'node:fs/promises'
import type { SiteJson } from '@sekisho/contract/site-json'
import type { BuildFile } from './build-files.ts'

/** A page that does nothing but send its reader on, as plugin-client-redirects writes them, is no longer than this. */
const MAX_BYTES = 10_000
const REFRESH = /<meta http-equiv="?refresh"? content="?0; ?url=(\/[^"'>\s]*)/i

/** The redirects that a build makes by pages which only send their reader on; the site's own account does not name them. */
export async function findRedirectPages(
  site: SiteJson,
  files: readonly BuildFile[],
): Promise<SiteJson['redirects']> {
  const pages = new Set([...site.pages.map(({ file }) => file), site.notFound])
  const known = new Set(site.pages.map(({ path }) => path))
  const others = files.filter(({ name }) => name.endsWith('.html') && !pages.has(name))
  const found = await Promise.all(
    others.map(async ({ name, file }) => {
      const html = await readFile(file, 'utf8')
      const target = html.length > MAX_BYTES ? undefined : REFRESH.exec(html)?.[1]
      const from = site.baseUrl + name.replace(/(?:\/?index)?\.html$/, '')
      return target === undefined || known.has(from) ? [] : [{ from, to: decodeURI(target).normalize('NFC') }]
    }),
  )
  return found.flat()
}
