import { hash } from 'node:crypto'
import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse } from 'parse5'

type Element = DefaultTreeAdapterMap['element']
type Parent = DefaultTreeAdapterMap['parentNode']

/** What a page carries and asks for; each thing once, in the order of the page. */
export interface PageContents {
  /** CSP source expressions of its inline scripts. */
  readonly scriptHashes: readonly string[]
  /** Paths of the scripts, styles and preloads it names. */
  readonly references: readonly string[]
}

/** Script types that a browser runs or obeys; any other is a data block, which CSP leaves alone. */
const RUN = /^(?:|module|importmap|speculationrules|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/i

/** Reads a page: hashes its inline scripts, so that its CSP can name exactly these, and notes its assets. */
export function readPage(html: string): PageContents {
  const references = new Set<string>()
  const scripts = new Set<string>()
  visitElements(parse(html), (element) => {
    const { tagName } = element
    if (tagName !== 'script' && tagName !== 'link') return
    const reference = attribute(element, tagName === 'script' ? 'src' : 'href')
    if (reference?.startsWith('/')) references.add(reference)
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
