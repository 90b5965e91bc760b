import path from 'node:path'

/** A page that an edition does not hold. */
export interface AbsentPage {
  /** Below the site, with `/`. */
  readonly name: string
  /** Id and address in its front matter, if any. */
  readonly id?: string
  readonly slug?: string
}

/** As Docusaurus reads the numbers that order files: `01-guide`, unless it looks like a date or a version. */
const NUMBERED = /^(?!\d+[-_.]\d+)\d+\s*[-_.]+\s*([^-_.\s].*)$/

/** The ids under which sidebars may name documents of a folder, with the numbers of files and folders and without. */
export function absentDocIds(pages: readonly AbsentPage[], folder: string): ReadonlySet<string> {
  return new Set(pagesBelow(pages, folder).flatMap(({ page, below }) => idsOf(page, below)))
}

/** The paths that documents, posts or pages of a folder would have below the path of their plugin. */
export function absentPaths(
  pages: readonly AbsentPage[],
  folder: string,
  routeBasePath: string,
): ReadonlySet<string> {
  const base = path.posix.join('/', routeBasePath, '/')
  return new Set(
    pagesBelow(pages, folder).flatMap(({ page, below }) => {
      const own =
        page.slug === undefined
          ? [...idsOf({ ...page }, below), ...datesOf(below)]
          : [slugOf(page.slug, below)]
      return own.map((one) => withoutIndex(path.posix.join(base, one)))
    }),
  )
}

function pagesBelow(pages: readonly AbsentPage[], folder: string) {
  const start = folder === '' ? '' : `${folder}/`
  return pages
    .filter(({ name }) => name.startsWith(start))
    .map((page) => ({ page, below: page.name.slice(start.length).replace(/\.(?:mdx?|[jt]sx?)$/, '') }))
}

function idsOf(page: AbsentPage, below: string): readonly string[] {
  const bare = below
    .split('/')
    .map((segment) => NUMBERED.exec(segment)?.[1] ?? segment)
    .join('/')
  return [below, bare].map((one) =>
    page.id === undefined ? one : path.posix.join(path.posix.dirname(one), page.id),
  )
}

/** A post is below its day, which the name of its file or of its folders begins with. */
const DATED = /(\d{4})[-/](\d{1,2})[-/](\d{1,2})[-/](.+)$/
function datesOf(below: string): readonly string[] {
  const [, ...parts] = DATED.exec(below) ?? []
  return parts.length === 0 ? [] : [parts.join('/')]
}

/** A slug that begins with a slash counts from the plugin's path, any other one from the page's folder. */
const slugOf = (slug: string, below: string): string =>
  slug.startsWith('/') ? slug : path.posix.join(path.posix.dirname(below), slug)

const withoutIndex = (route: string): string =>
  route.replace(/\/(?:index|README)$/i, '').replace(/(?<=.)\/$/, '')
