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
  /** What the gate's content policy keeps from loading or running: `img https://…`, `onclick`. */
  readonly refused: readonly string[]
}

/** Attributes by which an element loads something at once. */
const LOADED_FROM: Readonly<Record<string, readonly string[]>> = {
  audio: ['src'],
  embed: ['src'],
  iframe: ['src'],
  img: ['src'],
  link: ['href'],
  object: ['data'],
  script: ['src'],
  source: ['src'],
  track: ['src'],
  video: ['src', 'poster'],
}

/** Kinds of links that load what they name. */
const LOADING_LINK = /\b(?:stylesheet|icon|manifest|preload|modulepreload)\b/i

/** Script types that a browser runs or obeys; any other is a data block, which CSP leaves alone. */
const RUN = /^(?:|module|importmap|speculationrules|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/i

/** Reads a page: hashes its inline scripts, so that its CSP can name exactly these, and notes its assets. */
export function readPage(html: string): PageContents {
  const references = new Set<string>()
  const scripts = new Set<string>()
  const refused = new Set<string>()
  visitElements(parse(html), (element) => {
    const { tagName } = element
    for (const one of findRefused(element)) refused.add(one)
    if (tagName !== 'script' && tagName !== 'link') return
    const reference = attribute(element, tagName === 'script' ? 'src' : 'href')
    if (reference?.startsWith('/')) references.add(reference)
    const isInline = tagName === 'script' && reference === null
    if (isInline && RUN.test((attribute(element, 'type') ?? '').trim())) {
      scripts.add(`'sha256-${hash('sha256', textOf(element), 'base64')}'`)
    }
  })
  return { scriptHashes: [...scripts], references: [...references], refused: [...refused] }
}

/** Other hosts are not loaded from, and handlers written into elements do not run. */
function findRefused(element: Element): string[] {
  const { tagName, attrs } = element
  const isLoading = tagName !== 'link' || LOADING_LINK.test(attribute(element, 'rel') ?? '')
  const foreign = (isLoading ? (LOADED_FROM[tagName] ?? []) : []).flatMap((name) => {
    const address = attribute(element, name)?.trim() ?? ''
    return /^(?:https?:)?\/\//i.test(address) ? [`${tagName} ${address}`] : []
  })
  const handlers = attrs.filter(({ name }) => /^on[a-z]+$/.test(name)).map(({ name }) => `${tagName} ${name}`)
  return [...foreign, ...handlers]
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
