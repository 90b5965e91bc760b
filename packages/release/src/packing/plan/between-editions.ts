import { readFile } from 'node:fs/promises'
import type { Message } from '@sekisho/contract/language'
import type { Edition } from '../../manifest.ts'
import { problemOf } from '../../texts/index.ts'
import type { RoutePlan } from './plan-routes.ts'

/** An address in an attribute of HTML; `content` has those of pictures that other sites show beside a link. */
const ADDRESS = /\b(?:href|src|action|poster|content)=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g
/** The element by which a page says its own address. */
const CANONICAL = /<link\b[^>]*\brel=["']?canonical\b[^>]*>/i

/** Responses of an edition. */
interface PlannedRoutes extends Pick<Edition, 'name'> {
  readonly plan: RoutePlan
}

const HERE = 'http://release.invalid'

/**
 * Links that say of what is not there: a page of one edition names a page, a picture or a file that only other editions hold.
 * @returns a sentence for each, with the page and the address
 */
export async function findLinksOutside(editions: readonly PlannedRoutes[]): Promise<readonly Message[]> {
  if (editions.length < 2) return []
  const everything = new Map(
    editions.flatMap((edition) => pathsOf(edition).map((path) => [path, edition.name])),
  )
  const problems: Message[] = []
  for (const edition of editions) {
    const own = new Set(pathsOf(edition))
    const outside = new Map([...everything].filter(([path]) => !own.has(path)))
    for (const { path, file, kind } of outside.size === 0 ? [] : edition.plan.routes) {
      if (kind.delivery !== 'page') continue
      for (const target of linksOf(await readFile(file, 'utf8'), path)) {
        const other = outside.get(target) ?? outside.get(otherForm(target))
        if (other !== undefined)
          problems.push(problemOf('foreign_edition_named', path, edition.name, target, other))
      }
    }
  }
  return problems
}

function pathsOf({ plan }: PlannedRoutes): readonly string[] {
  return [...plan.routes.map(({ path }) => path), ...plan.redirects.keys()]
}

/** Decoded paths of this site that a page names, each once. */
function linksOf(html: string, page: string): ReadonlySet<string> {
  const [canonical] = addressesIn(CANONICAL.exec(html)?.[0] ?? '', page)
  const here = [HERE, canonical?.origin]
  return new Set(
    addressesIn(html, page)
      .filter(({ origin }) => here.includes(origin))
      .flatMap((url) => pathOf(url) ?? []),
  )
}

const addressesIn = (html: string, page: string): readonly URL[] =>
  [...html.matchAll(ADDRESS)].flatMap(([, quoted, single, bare]) => {
    const address = (quoted ?? single ?? bare ?? '').replaceAll('&amp;', '&')
    return URL.parse(address, `${HERE}${encodeURI(page)}`) ?? []
  })

/** Null for what is no path in UTF-8. */
function pathOf(url: URL): string | null {
  try {
    return decodeURIComponent(url.pathname).normalize('NFC')
  } catch {
    return null
  }
}

/** With the closing slash that it lacks, or without the one it has: links to a page have either. */
const otherForm = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : `${path}/`)
