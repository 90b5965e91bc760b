import type { Message } from '@sekisho/contract/language'
import { markdownPathOf, PAGE_PATH_END } from '@sekisho/contract/page-markdown'
import { findPathProblem, splitTarget } from '../../request-path.ts'
import { problemOf } from '../../texts/index.ts'
import type { BuildFile } from '../build/build-files.ts'
import { type ContentType, contentTypeOf, PAGE_TYPE } from '../build/content-types.ts'
import type { LocalisedSite, SourcedRedirect } from '../build/read-site.ts'

type PlannedSite = Pick<LocalisedSite, 'baseUrl' | 'pages' | 'redirects' | 'notFound' | 'missing'>

/** One file of the build at its request path. */
export interface Route extends BuildFile {
  readonly path: string
  readonly kind: ContentType
  readonly title?: string
  /** Path of a page's Markdown; absent without one. */
  readonly markdown?: string
}

/** Every path a release answers, and what is wrong with the site's own account of them. */
export interface RoutePlan {
  readonly routes: readonly Route[]
  readonly redirects: ReadonlyMap<string, string>
  readonly notFound: string
  /** Redirects of the site that are left out: they lead to nothing of this release, or in a circle. */
  readonly lost: readonly SourcedRedirect[]
  readonly problems: readonly Message[]
}

/**
 * Gives each file its one request path, and each alternative path of a page (`/x`, `/x/`, `/x.html`, `/x/index.html`) a redirect. Below a
 * base path, the root redirects there. The site's redirects win over files; mere respellings of a page do not.
 */
export function planRoutes(site: PlannedSite, files: readonly BuildFile[]): RoutePlan {
  const problems: Message[] = []
  const redirected = new Set(site.redirects.map(({ from }) => from))
  const moved = new Set(site.redirects.flatMap(({ from }) => alternativePaths(from)))
  const redirectPages = new Set(site.redirects.map(({ source }) => source))
  const pages = pagesByFile(site, files, problems)
  const routes = new Map<string, Route>()
  for (const file of files) {
    const page = pages.get(file.name)
    const path = page?.path ?? site.baseUrl + file.name
    if ((page === undefined ? moved : redirected).has(path) || redirectPages.has(file.name)) continue
    const known = routes.get(path)
    if (known !== undefined) problems.push(problemOf('same_path', known.name, file.name, path))
    const kind = page === undefined ? contentTypeOf(file.name) : PAGE_TYPE
    routes.set(path, { ...file, path, kind, ...(page?.title === undefined ? {} : { title: page.title }) })
  }
  const { redirects, lost } = planRedirects(site, routes, problems)
  const notFound = site.baseUrl + site.notFound
  return { routes: withMarkdown(site, routes, redirects), redirects, notFound, lost, problems }
}

/** Gives each page a path for its Markdown. What the site has under that name stays the site's. */
function withMarkdown(
  { baseUrl, missing }: PlannedSite,
  routes: ReadonlyMap<string, Route>,
  redirects: ReadonlyMap<string, string>,
): readonly Route[] {
  const given = new Set<string>()
  return [...routes.values()].map((route) => {
    if (route.kind !== PAGE_TYPE || missing.has(route.name)) return route
    const name = markdownPathOf(route.path, baseUrl)
    const free = [name, name.replace(/\.md$/, '/index.md')].find(
      (path) => !routes.has(path) && !redirects.has(path) && !given.has(path),
    )
    if (free === undefined) return route
    given.add(free)
    return { ...route, markdown: free }
  })
}

function pagesByFile(
  site: PlannedSite,
  files: readonly BuildFile[],
  problems: Message[],
): Map<string, { path: string; title?: string }> {
  const names = new Set(files.map(({ name }) => name))
  const pages = new Map<string, { path: string; title?: string }>()
  const take = (file: string, page: { path: string; title?: string }) => {
    if (!names.has(file)) problems.push(problemOf('page_without_file', page.path, file))
    pages.set(file, page)
  }
  for (const { path, file, title } of site.pages) {
    const problem = findPathProblem(path)
    if (problem !== null) problems.push(problemOf('page_path', JSON.stringify(path), problem))
    if (file !== site.notFound) take(file, { path, title })
  }
  take(site.notFound, { path: site.baseUrl + site.notFound })
  return pages
}

function planRedirects(
  site: PlannedSite,
  routes: ReadonlyMap<string, Route>,
  problems: Message[],
): Pick<RoutePlan, 'redirects' | 'lost'> {
  const redirects = new Map<string, string>()
  const offer = (from: string, to: string) => {
    if (!routes.has(from) && !redirects.has(from) && findPathProblem(from) === null) redirects.set(from, to)
  }
  const targets = new Map(site.redirects.map(({ from, to }) => [from, to]))
  const followed = site.redirects.map((redirect) => ({
    ...redirect,
    target: followRedirect(redirect.to, targets, routes),
  }))
  for (const { from, target } of followed) {
    const problem = findPathProblem(from)
    if (problem !== null) problems.push(problemOf('redirect_path', JSON.stringify(from), problem))
    if (target !== null) offer(from, target)
  }
  if (routes.has(site.baseUrl)) offer('/', site.baseUrl)
  for (const route of routes.values()) {
    const isNotFound = route.name === site.notFound
    if (route.kind !== PAGE_TYPE || isNotFound) continue
    const ofFile = site.baseUrl + route.name
    offer(ofFile, route.path)
    for (const path of alternativePaths(route.path)) offer(path, route.path)
  }
  for (const { from, target } of followed)
    if (target !== null) for (const path of alternativePaths(from)) offer(path, target)
  const lost = followed.filter(({ target }) => target === null)
  return { redirects, lost: lost.map(({ from, to, source }) => ({ from, to, source })) }
}

/** Follows redirects to redirects, so that a reader is sent on once; null when it ends nowhere or never. */
function followRedirect(
  to: string,
  targets: ReadonlyMap<string, string>,
  routes: ReadonlyMap<string, Route>,
): string | null {
  let target = to
  for (let hops = 0; hops <= targets.size; hops += 1) {
    const { path, fragment } = splitTarget(target)
    const known = [path, ...alternativePaths(path)].find((candidate) => routes.get(candidate) !== undefined)
    if (known !== undefined) return known + fragment
    const next = targets.get(path)
    if (next === undefined) return null
    target = next
  }
  return null
}

/** Every path that leads to a page in some server, its own included. */
function alternativePaths(path: string): string[] {
  const stem = path.replace(PAGE_PATH_END, '')
  if (stem === '') return ['/', '/index.html', '/index']
  return [stem, `${stem}/`, `${stem}.html`, `${stem}/index.html`, `${stem}/index`]
}
