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
  /** What the gate's content policy keeps from loading or running: `img https://…`, `onclick`. */
  readonly refused: readonly string[]
}

/** What an element loads, by the attributes that name it. */
const LOADED_FROM: ReadonlyMap<string, readonly string[]> = new Map([
  ['audio', ['src']],
  ['embed', ['src']],
  ['iframe', ['src']],
  ['img', ['src']],
  ['link', ['href']],
  ['object', ['data']],
  ['script', ['src']],
  ['source', ['src']],
  ['track', ['src']],
  ['video', ['src', 'poster']],
])
/** Links by which something is loaded for this page; a feed or the next page is only named. */
const LOADING_LINK = /(?:^|\s)(?:stylesheet|preload|modulepreload|icon|manifest)(?:\s|$)/i

/** Script types that a browser runs or obeys; any other is a data block, which CSP leaves alone. */
const RUN = /^(?:|module|importmap|speculationrules|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/i

/** Reads a page: hashes its inline scripts, so that its CSP can name exactly these, and notes its assets. */
export function readPage(html: string): PageContents {
  const references = new Set<string>()
  const scripts = new Set<string>()
  const refused = new Set<string>()
  visitElements(parse(html), (element) => {
    const { tagName } = element
    for (const handler of element.attrs.filter(({ name }) => /^on[a-z]+$/.test(name)))
      refused.add(`${tagName} ${handler.name}`)
    for (const source of readSources(element)) {
      if (/^(?:https?:)?\/\//i.test(source)) refused.add(`${tagName} ${source}`)
      const path = source.startsWith('/') ? canonicalPath(`http://release.invalid${source}`) : null
      if (path !== null) references.add(path)
    }
    if (tagName !== 'script') return
    const reference = attribute(element, 'src')
    const isInline = reference === null
    if (isInline && RUN.test((attribute(element, 'type') ?? '').trim())) {
      scripts.add(`'sha256-${hash('sha256', textOf(element), 'base64')}'`)
    }
  })
  return { scriptHashes: [...scripts], references: [...references], refused: [...refused] }
}

function readSources(element: Element): string[] {
  if (element.tagName === 'link' && !LOADING_LINK.test(attribute(element, 'rel') ?? '')) return []
  const names = LOADED_FROM.get(element.tagName) ?? []
  return names.flatMap((name) => attribute(element, name)?.trim() ?? [])
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
