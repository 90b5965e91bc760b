import { hash } from 'node:crypto'
import { canonicalPath } from '@sekisho/contract/canonical-path'
import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse } from 'parse5'

type Element = DefaultTreeAdapterMap['element']
type Parent = DefaultTreeAdapterMap['parentNode']

/** What a page carries and asks for; each thing once, in the order of the page. */
export interface PageContents {
  /** CSP source expressions of its inline scripts. */
  readonly scriptHashes: readonly string[]
  /** Paths of what it loads: scripts, styles, preloads, pictures and media. */
  readonly references: readonly string[]
}

/** What an element loads, by the attribute that names it. */
const LOADS: ReadonlyMap<string, string> = new Map([
  ['script', 'src'],
  ['link', 'href'],
  ['img', 'src'],
  ['source', 'src'],
  ['video', 'src'],
  ['audio', 'src'],
  ['track', 'src'],
])
/** Links by which something is loaded for this page; a feed or the next page is only named. */
const LOADING_LINK = /(?:^|\s)(?:stylesheet|preload|modulepreload|icon|manifest)(?:\s|$)/i

/** Script types that a browser runs or obeys; any other is a data block, which CSP leaves alone. */
const RUN = /^(?:|module|importmap|speculationrules|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/i

/** Reads a page: hashes its inline scripts, so that its CSP can name exactly these, and notes its assets. */
export function readPage(html: string): PageContents {
  const references = new Set<string>()
  const scripts = new Set<string>()
  visitElements(parse(html), (element) => {
    const { tagName } = element
    const source = LOADS.get(tagName)
    if (source === undefined) return
    if (tagName === 'link' && !LOADING_LINK.test(attribute(element, 'rel') ?? '')) return
    const reference = attribute(element, source)
    const path = reference?.startsWith('/') ? canonicalPath(`http://release.invalid${reference}`) : null
    if (path !== null) references.add(path)
    const isInline = tagName === 'script' && reference === null
    if (isInline && RUN.test((attribute(element, 'type') ?? '').trim())) {
      scripts.add(`'sha256-${hash('sha256', textOf(element), 'base64')}'`)
    }
  })
  return { scriptHashes: [...scripts], references: [...references] }
}

/** Visits in the order of the page. A template's content is no part of the document, and parse5 keeps it beside the tree. */
function visitElements(parent: Parent, visit: (element: Element) => void): void {
  for (const child of parent.childNodes) {
    if (!defaultTreeAdapter.isElementNode(child)) continue
    visit(child)
    visitElements(child, visit)
  }
}

function attribute({ attrs }: Element, name: string): string | null {
  return attrs.find((one) => one.name === name)?.value ?? null
}

function textOf(element: Element): string {
  return element.childNodes.map((node) => (defaultTreeAdapter.isTextNode(node) ? node.value : '')).join('')
}
