import { attribute, type Element, isElement, type Parent } from '@sekisho/contract/html-tree'
import { collapseText, isUnread } from '@sekisho/contract/page-markdown'
import { type DefaultTreeAdapterMap, defaultTreeAdapter } from 'parse5'

export * from '@sekisho/contract/html-tree'

/** The text of a text node; null for any other node. */
export const textOf = (node: DefaultTreeAdapterMap['node']): string | null =>
  defaultTreeAdapter.isTextNode(node) ? node.value : null

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
