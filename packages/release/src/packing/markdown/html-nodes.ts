import { isUnread } from '@sekisho/contract/page-markdown'
import { type DefaultTreeAdapterMap, defaultTreeAdapter } from 'parse5'

export type Element = DefaultTreeAdapterMap['element']
export type Parent = DefaultTreeAdapterMap['parentNode']
export type Node = DefaultTreeAdapterMap['childNode']

export const isElement = (node: Node): node is Element => defaultTreeAdapter.isElementNode(node)

/** An attribute's value, or null when the element has none. */
export function attribute({ attrs }: Element, name: string): string | null {
  return attrs.find((one) => one.name === name)?.value ?? null
}

export const classOf = (element: Element): string => attribute(element, 'class') ?? ''

/** True if an element has one of these classes. */
export function hasClass(element: Element, ...names: readonly string[]): boolean {
  const own = classOf(element).split(/\s+/)
  return names.some((name) => own.includes(name))
}

export const elementsOf = ({ childNodes }: Parent): Element[] => childNodes.filter(isElement)

/** Every element below a node that fits, in the order of the page, none inside another. */
export function findAll(parent: Parent, fits: (element: Element) => boolean): Element[] {
  const found: Element[] = []
  const collect = (within: Parent): void => {
    for (const child of elementsOf(within)) {
      if (fits(child)) found.push(child)
      else collect(child)
    }
  }
  collect(parent)
  return found
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

/** All text below a node as it is written, with a line for each `br` and each block. */
export function textOf(parent: Parent, isLeftOut: (element: Element) => boolean = () => false): string {
  const pieces: string[] = []
  const read = ({ childNodes }: Parent): void => {
    for (const child of childNodes) {
      if ('value' in child) pieces.push(child.value)
      else if (!isElement(child) || isLeftOut(child)) continue
      else if (child.tagName === 'br') pieces.push('\n')
      else {
        read(child)
        const last = /^(?:div|p|tr|li)$/.test(child.tagName)
          ? pieces.findLast((piece) => piece !== '')
          : undefined
        if (last !== undefined && !last.endsWith('\n')) pieces.push('\n')
      }
    }
  }
  read(parent)
  return pieces.join('')
}

/** The source of a diagram: what our theme leaves in the page, or the element that Mermaid draws in; null for any other element. */
export function diagramOf(element: Element): string | null {
  const kept = attribute(element, 'data-mermaid')
  if (kept !== null) return kept
  const isSource =
    hasClass(element, 'mermaid') && findFirst(element, ({ tagName }) => tagName === 'svg') === null
  return isSource && /^(?:div|pre|p|figure)$/.test(element.tagName) ? textOf(element).trim() : null
}

/** The source of a diagram is hidden, and read. */
export const isSilent = (element: Element): boolean =>
  attribute(element, 'data-mermaid') === null && isUnread(element.tagName, (name) => attribute(element, name))
