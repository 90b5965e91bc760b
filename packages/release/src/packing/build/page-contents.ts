import { hash } from 'node:crypto'
import { encodePath, equivalentPath } from '@sekisho/contract/canonical-path'
import type { GrantKind } from '@sekisho/contract/grants'
import { parse } from 'parse5'
import { attribute, type Element, isElement, type Parent } from '../markdown/html-nodes.ts'
import { type PageFacts, readPageFacts } from '../markdown/page-facts.ts'
import { contentTypeOf } from './content-types.ts'
import { isPageFile } from './page-names.ts'
import { addressesInSrcset, eachOnce, type Refusal, refuseAddress, refuseStyles } from './refusals.ts'

/** Changes with what is read of a page, so that nothing read before is taken for it. */
export const CONTENTS_MAKER = 'contents-4'

/** Resources of a page; each once, in the order of the page. */
export interface PageContents {
  /** CSP source expressions of its inline scripts. */
  readonly scriptHashes: readonly string[]
  /** Addresses of what it loads from its own site, as written: scripts, styles, preloads, pictures and media. */
  readonly references: readonly string[]
  /** Requests and scripts that the gate's content policy blocks. */
  readonly refused: readonly Refusal[]
  readonly facts: PageFacts
}

/** Resource attributes of each element and the grant they need; null where there is none. */
const LOADED_FROM: ReadonlyMap<string, readonly (readonly [attribute: string, kind: GrantKind | null])[]> =
  new Map([
    ['audio', [['src', 'media']]],
    ['embed', [['src', null]]],
    ['iframe', [['src', 'frame']]],
    ['img', [['src', 'img']]],
    ['link', [['href', null]]],
    ['object', [['data', null]]],
    ['script', [['src', 'script']]],
    ['source', [['src', 'media']]],
    ['track', [['src', 'media']]],
    [
      'video',
      [
        ['src', 'media'],
        ['poster', 'img'],
      ],
    ],
  ])
/** Resource kinds of links by `rel`; of preloads by `as`. */
const LINK_KINDS: Readonly<Record<string, GrantKind>> = {
  stylesheet: 'style',
  icon: 'img',
  modulepreload: 'script',
  script: 'script',
  style: 'style',
  image: 'img',
  font: 'font',
  fetch: 'connect',
}
/** Links by which something is loaded for this page; a feed or the next page is only named. */
const LOADING_LINK = /(?:^|\s)(?:stylesheet|preload|modulepreload|icon|manifest)(?:\s|$)/i

/** Script types that a browser runs or obeys; any other is a data block, which CSP leaves alone. */
const RUN = /^(?:|module|importmap|speculationrules|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/i

/** An address with a scheme, or with a host. */
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i

/** Paths of the site to which addresses lead that the page at a path has. */
export function resolveReferences(addresses: readonly string[], page: string): readonly string[] {
  const base = `http://release.invalid${encodePath(page)}`
  const paths = addresses.map((address) => {
    const url = URL.parse(address, base)
    return url === null ? null : equivalentPath(url.href)
  })
  return [...new Set(paths.filter((path) => path !== null))]
}

/** Reads a page: hashes its inline scripts, so that its CSP can name exactly these, and notes its assets. */
export function readPage(html: string): PageContents {
  return readContents(parse(html))
}

/** The same of a page that was parsed. */
export function readContents(page: Parent): PageContents {
  const references = new Set<string>()
  const scripts = new Set<string>()
  const refused: (Refusal | null)[] = []
  visitElements(page, (element) => {
    const { tagName } = element
    refused.push(...refuseElement(element))
    for (const [source, kind] of readSources(element)) {
      refused.push(refuseAddress(source, kind, tagName), refuseEmbedded(source, tagName))
      if (!ELSEWHERE.test(source)) references.add(source)
    }
    if (tagName !== 'script') return
    const reference = attribute(element, 'src')
    const isInline = reference === null
    if (isInline && RUN.test((attribute(element, 'type') ?? '').trim())) {
      scripts.add(`'sha256-${hash('sha256', textOf(element), 'base64')}'`)
    }
  })
  return {
    scriptHashes: [...scripts],
    references: [...references],
    refused: eachOnce(refused.filter((one) => one !== null)),
    facts: readPageFacts(page),
  }
}

/** A file of the site that a page does not show: plugins are off, and a frame saves what is delivered as a download. */
function refuseEmbedded(source: string, tagName: string): Refusal | null {
  const url = URL.parse(source, 'http://release.invalid/')
  if (!/^(?:iframe|embed|object)$/.test(tagName) || url?.host !== 'release.invalid') return null
  const { pathname } = url
  const isPage = isPageFile(pathname) || !/\.[^/]*$/.test(pathname)
  const isShown = tagName === 'iframe' && (isPage || contentTypeOf(pathname).delivery !== 'download')
  return isShown ? null : { what: `${tagName} ${source}`, grant: null }
}

/** Blocked features of an element itself, besides the resources it loads. */
function refuseElement(element: Element): readonly (Refusal | null)[] {
  const { tagName, attrs } = element
  return attrs
    .flatMap(({ name, value }): readonly (Refusal | null)[] => {
      if (/^on[a-z]+$/.test(name)) return [{ what: `${tagName} ${name}`, grant: null }]
      if (name === 'href' && /^\s*javascript:/i.test(value))
        return [{ what: `${tagName} javascript:`, grant: null }]
      if (name === 'srcset')
        return addressesInSrcset(value).map((address) => refuseAddress(address, 'img', tagName))
      if (name === 'style') return refuseStyles(value)
      const isTarget = (name === 'action' && tagName === 'form') || name === 'formaction'
      return isTarget ? [refuseAddress(value.trim(), 'form', tagName)] : []
    })
    .concat(tagName === 'style' ? refuseStyles(textOf(element)) : [])
}

function readSources(element: Element): readonly (readonly [source: string, kind: GrantKind | null])[] {
  const rel = attribute(element, 'rel') ?? ''
  if (element.tagName === 'link' && !LOADING_LINK.test(rel)) return []
  const isLazy = !/^(?:link|script)$/.test(element.tagName) // scripts move it to `src` when it comes into view
  return (LOADED_FROM.get(element.tagName) ?? []).flatMap(([name, kind]) =>
    (isLazy ? [name, `data-${name}`] : [name]).flatMap((one) => {
      const source = attribute(element, one)?.trim()
      if (source === undefined) return []
      return [
        [source, element.tagName === 'link' ? kindOfLink(rel, attribute(element, 'as')) : kind],
      ] as const
    }),
  )
}

function kindOfLink(rel: string, as: string | null): GrantKind | null {
  const words = [...rel.toLowerCase().split(/\s+/), as?.toLowerCase() ?? '']
  return words.map((word) => LINK_KINDS[word]).find((kind) => kind !== undefined) ?? null
}

/** Visits in the order of the page. A template's content is no part of the document, and parse5 keeps it beside the tree. */
function visitElements(parent: Parent, visit: (element: Element) => void): void {
  for (const child of parent.childNodes) {
    if (!isElement(child)) continue
    visit(child)
    visitElements(child, visit)
  }
}

/** Text of an element without that of others in it: what a browser hashes of a script. */
function textOf({ childNodes }: Element): string {
  return childNodes.map((node) => ('value' in node ? node.value : '')).join('')
}
