import { isUnseen } from '@sekisho/contract/page-markdown'
import { type DefaultTreeAdapterMap, defaultTreeAdapter } from 'parse5'

export type Element = DefaultTreeAdapterMap['element']
export type Parent = DefaultTreeAdapterMap['parentNode']
export type Node = DefaultTreeAdapterMap['childNode']

export const isElement = (node: Node): node is Element => defaultTreeAdapter.isElementNode(node)

/** An attribute's value, or null when the element has none. */
export function attribute({ attrs }: Element, name: string): string | null {
  return attrs.find((one) => one.name === name)?.value ?? null
}

/** Tells if an element has one of these classes. */
export function hasClass(element: Element, ...names: readonly string[]): boolean {
  const own = attribute(element, 'class')?.split(/\s+/) ?? []
  return names.some((name) => own.includes(name))
}

/** Every element below a node that fits, in the order of the page, none inside another. */
export function findAll(parent: Parent, fits: (element: Element) => boolean): Element[] {
  return parent.childNodes.flatMap((child) =>
    isElement(child) ? (fits(child) ? [child] : findAll(child, fits)) : [],
  )
}

/** The first element below a node that fits. */
export function findFirst(parent: Parent, fits: (element: Element) => boolean): Element | null {
  for (const child of parent.childNodes) {
    if (!isElement(child)) continue
    const found = fits(child) ? child : findFirst(child, fits)
    if (found !== null) return found
  }
  return null
}

/** All text below a node as it is written, with a line for each `br`. */
export function textOf(node: Node | Parent): string {
  if ('value' in node) return node.value
  if ('tagName' in node && node.tagName === 'br') return '\n'
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}

/** Elements without text for readers: controls, drawings, scripts, navigation. */
const SILENT: ReadonlySet<string> = new Set(
  'button form iframe nav noscript script select style svg template textarea wbr'.split(' '),
)
const SILENT_CLASSES = [
  'hash-link',
  'headerlink',
  'header-anchor',
  'data-footnote-backref',
  'katex-html',
  'sekisho-recent',
  'theme-doc-toc-mobile',
  'theme-doc-version-badge',
]

export const isSilent = (element: Element): boolean =>
  SILENT.has(element.tagName) || hasClass(element, ...SILENT_CLASSES) || isHidden(element)

/** Source of a diagram, which our theme leaves in the page; null for any other element. */
export const diagramOf = (element: Element): string | null => attribute(element, 'data-mermaid')

/** Hidden elements, except sources of diagrams, which are hidden and read. */
const isHidden = (element: Element): boolean =>
  diagramOf(element) === null && isUnseen((name) => attribute(element, name))
