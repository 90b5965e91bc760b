import { collapseText, isUnread } from '@sekisho/contract/page-markdown'
import { type DefaultTreeAdapterMap, defaultTreeAdapter } from 'parse5'

type Node = DefaultTreeAdapterMap['node']
export type Element = DefaultTreeAdapterMap['element']
export type Parent = DefaultTreeAdapterMap['parentNode']

export const isElement = (node: Node): node is Element => defaultTreeAdapter.isElementNode(node)

/** The text of a text node; null for any other node. */
export const textOf = (node: Node): string | null => (defaultTreeAdapter.isTextNode(node) ? node.value : null)

/** An attribute's value, or null when the element has none. */
export function attribute(element: Element, name: string): string | null {
  return element.attrs.find((one) => one.name === name)?.value ?? null
}

/** The classes of an element, in order. */
export function classes(element: Element): string[] {
  const value = attribute(element, 'class')
  return value === null ? [] : value.split(/\s+/).filter((name) => name !== '')
}

/** Tells if an element has a class. */
export function hasClass(element: Element, name: string): boolean {
  return classes(element).includes(name)
}

/** The elements below a node, in the order of the document. */
export function elements(parent: Parent): Element[] {
  const found: Element[] = []
  const waiting = parent.childNodes.toReversed() // a page of strangers may be deeper than the stack
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!isElement(node)) continue
    found.push(node)
    for (let at = node.childNodes.length - 1; at >= 0; at -= 1) {
      const child = node.childNodes[at]
      if (child !== undefined) waiting.push(child)
    }
  }
  return found
}

/** The first element below a node that fits. */
export function findElement(parent: Parent, fits: (element: Element) => boolean): Element | null {
  for (const child of parent.childNodes) {
    if (!isElement(child)) continue
    const found = fits(child) ? child : findElement(child, fits)
    if (found !== null) return found
  }
  return null
}

/** The text that readers see below a node, with its white space collapsed: without links of headings to themselves, and readings of ruby. */
export function plainText(parent: Parent): string {
  let text = ''
  const read = (node: Parent): void => {
    for (const child of node.childNodes) {
      text += textOf(child) ?? ''
      if (isElement(child) && !isBeside(child)) read(child)
    }
  }
  read(parent)
  return collapseText(text).trim()
}

const isBeside = (element: Element): boolean =>
  element.tagName === 'rt' ||
  element.tagName === 'rp' ||
  (element.tagName === 'a' && isUnread('a', (name) => attribute(element, name)))
