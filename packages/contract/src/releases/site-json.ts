import type { ShapeReader } from '../errors/json-shape.ts'

/** Folder below a build in which the site says what it made; never served. */
export const SIDECAR = '__sekisho'

/** A path that a site or a locale of it is served below. */
export const BASE_URL = /^\/(?:[^/?#]+\/)*$/

/** One page of the site: the path readers know it by, and the build's file. */
export interface SitePage {
  /** Decoded canonical path, as the site links to it (`/docs/base/` keeps its slash). */
  readonly path: string
  readonly file: string
  readonly title: string
}

/** Description of a site build in its `__sekisho/site.json`. */
export interface SiteJson {
  readonly format: 1
  readonly title: string
  readonly tagline: string
  /** BCP 47 language tag. */
  readonly lang: string
  /** Path below which the build is served; begins and ends with a slash. */
  readonly baseUrl: string
  readonly pages: readonly SitePage[]
  readonly redirects: readonly { readonly from: string; readonly to: string }[]
  /** The build's file that answers a path that is not there. */
  readonly notFound: string
  /** Paths below which an older or newer version of documents is, each with its index in the sidecar; absent where there is none. */
  readonly versions?: readonly { readonly path: string; readonly search: string }[]
  /** Unused files of the build, such as indexes of a replaced search: prefixes of JSON file names, and folders ending in a slash. */
  readonly unused?: readonly string[]
}

/** The files that editions divide a search index of the sidecar into, to have those in common whose pages they share. */
export interface DividedIndex {
  /** The dictionary that queries are read with. */
  readonly words: string
  /** The files of its pages, largest first; those of several editions are named by each of them. */
  readonly parts: readonly string[]
}

const KEYS = [
  'format',
  'title',
  'tagline',
  'lang',
  'baseUrl',
  'pages',
  'redirects',
  'notFound',
  'versions',
  'unused',
]

/** Reads what a build wrote; every problem is collected in `shape`, with `where` in front. */
export function readSiteJson(value: unknown, where: string, shape: ShapeReader): SiteJson {
  const root = shape.object(value, where, KEYS)
  if (root.format !== 1) shape.report(where, 'format must be 1')
  return {
    format: 1,
    title: shape.text(root.title, `${where} title`),
    tagline: shape.text(root.tagline, `${where} tagline`),
    lang: shape.text(root.lang, `${where} lang`),
    baseUrl: shape.matching(
      root.baseUrl,
      `${where} baseUrl`,
      BASE_URL,
      'a path that begins and ends with a slash',
    ),
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
    ...(root.versions === undefined ? {} : { versions: readVersions(root.versions, where, shape) }),
    ...(root.unused === undefined
      ? {}
      : {
          unused: shape
            .array(root.unused, `${where} unused`)
            .map((name) => shape.text(name, `${where} unused`)),
        }),
  }
}

function readVersions(value: unknown, where: string, shape: ShapeReader): NonNullable<SiteJson['versions']> {
  return shape.array(value, `${where} versions`).map((item, index) => {
    const at = `${where} versions[${index}]`
    const version = shape.object(item, at, ['path', 'search'])
    return {
      path: shape.matching(version.path, `${at} path`, BASE_URL, 'a path that begins and ends with a slash'),
      search: shape.matching(
        version.search,
        `${at} search`,
        /^[\w-]+\.db$/,
        'the name of a file of the sidecar',
      ),
    }
  })
}
