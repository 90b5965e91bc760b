import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson, ShapeReader } from '@sekisho/contract/json-shape'
import { ReleaseError } from './errors.ts'

/** Folder below the build in which the site says what it made; never served. */
export const SIDECAR = '__sekisho'

/** One page of the site: the path readers know it by, and the build's file. */
export interface SitePage {
  /** Decoded canonical path, as the site links to it (`/docs/base/` keeps its slash). */
  readonly path: string
  readonly file: string
  readonly title: string
}

/** What a site build says of itself in `__sekisho/site.json`. */
export interface SiteDescription {
  readonly site: { readonly title: string; readonly tagline: string; readonly lang: string }
  readonly pages: readonly SitePage[]
  readonly redirects: readonly { readonly from: string; readonly to: string }[]
  readonly notFound: string
}

/** Reads `site.json`, or throws {@link ReleaseError} with every problem it has. */
export async function readSite(buildDir: string): Promise<SiteDescription> {
  const where = `${SIDECAR}/site.json`
  const text = await readFile(join(buildDir, SIDECAR, 'site.json'), 'utf8').catch(() => {
    throw new ReleaseError('site_invalid', [
      `${where} is missing in ${buildDir}: build the site with the plugin @sekisho/docusaurus`,
    ])
  })
  const shape = new ShapeReader()
  const description = readDescription(parseJson(text, where, shape), where, shape)
  if (shape.problems.length > 0) throw new ReleaseError('site_invalid', shape.problems)
  return description
}

const KEYS = ['format', 'title', 'tagline', 'lang', 'pages', 'redirects', 'notFound']

function readDescription(value: unknown, where: string, shape: ShapeReader): SiteDescription {
  const root = shape.object(value, where, KEYS)
  if (root.format !== 1) shape.report(where, 'format must be 1')
  return {
    site: {
      title: shape.text(root.title, `${where} title`),
      tagline: shape.text(root.tagline, `${where} tagline`),
      lang: shape.text(root.lang, `${where} lang`),
    },
    pages: shape.array(root.pages, `${where} pages`).map((item, index) => {
      const at = `${where} pages[${index}]`
      const page = shape.object(item, at, ['path', 'file', 'title'])
      return {
        path: shape.text(page.path, `${at} path`),
        file: shape.text(page.file, `${at} file`),
        title: shape.text(page.title, `${at} title`),
      }
    }),
    redirects: shape.array(root.redirects, `${where} redirects`).map((item, index) => {
      const at = `${where} redirects[${index}]`
      const redirect = shape.object(item, at, ['from', 'to'])
      return { from: shape.text(redirect.from, `${at} from`), to: shape.text(redirect.to, `${at} to`) }
    }),
    notFound: shape.text(root.notFound, `${where} notFound`),
  }
}
