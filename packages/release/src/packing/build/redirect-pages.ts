import { readFile } from 'node:fs/promises'
import type { SiteJson } from '@sekisho/contract/site-json'
import type { BuildFile } from './build-files.ts'

/** A path that only leads on, and the file of the build that says so. */
export interface SourcedRedirect {
  readonly from: string
  readonly to: string
  readonly source: string
}

/** A page that does nothing but send its reader on, as plugin-client-redirects writes them, is no longer than this. */
const MAX_BYTES = 10_000
const REFRESH = /<meta http-equiv="?refresh"? content="?0; ?url=([^"'>\s]+)/i
const HERE = 'http://release.invalid'

/** The redirects that a build makes by pages which only send their reader on; the site's own account does not name them. */
export async function findRedirectPages(
  site: SiteJson,
  files: readonly BuildFile[],
): Promise<readonly SourcedRedirect[]> {
  const pages = new Set([...site.pages.map(({ file }) => file), site.notFound])
  const known = new Set(site.pages.map(({ path }) => path))
  const others = files.filter(({ name }) => name.endsWith('.html') && !pages.has(name))
  const found = await Promise.all(
    others.map(async ({ name, file }) => {
      const html = await readFile(file, 'utf8')
      const target = html.length > MAX_BYTES ? undefined : REFRESH.exec(html)?.[1]
      const from = site.baseUrl + name.replace(/(?:\/?index)?\.html$/, '')
      return target === undefined || known.has(from)
        ? []
        : [{ from, to: readTarget(target, site.baseUrl + name), source: name }]
    }),
  )
  return found.flat()
}

/** Where a page leads: a path of the release with its `#fragment`, or the whole address of another host. */
function readTarget(target: string, page: string): string {
  const url = URL.parse(target, `${HERE}${encodeURI(page)}`)
  if (url === null || url.origin !== HERE) return target
  return decodeURI(url.pathname + url.hash).normalize('NFC')
}
