import {
  attribute,
  type Element,
  findElement,
  hasClass,
  isElement,
  type Parent,
} from '@sekisho/contract/html-tree'
import { isUnread } from '@sekisho/contract/page-markdown'

export * from '@sekisho/contract/html-tree'
export type Node = Parent['childNodes'][number]

export const classOf = (element: Element): string => attribute(element, 'class') ?? ''

export const elementsOf = ({ childNodes }: Parent): Element[] => childNodes.filter(isElement)

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
    hasClass(element, 'mermaid') && findElement(element, ({ tagName }) => tagName === 'svg') === null
  return isSource && /^(?:div|pre|p|figure)$/.test(element.tagName) ? textOf(element).trim() : null
}

/** The source of a diagram is hidden, and read. */
export const isSilent = (element: Element): boolean =>
  attribute(element, 'data-mermaid') === null && isUnread(element.tagName, (name) => attribute(element, name))
