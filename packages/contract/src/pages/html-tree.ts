import type { DefaultTreeAdapterMap } from 'parse5'

type Node = DefaultTreeAdapterMap['node']
export type Element = DefaultTreeAdapterMap['element']
export type Parent = DefaultTreeAdapterMap['parentNode']

export const isElement = (node: Node): node is Element => 'tagName' in node

/** An attribute's value, or null when the element has none. */
export function attribute({ attrs }: Element, name: string): string | null {
  return attrs.find((one) => one.name === name)?.value ?? null
}

/** The classes of an element, in order. */
export const classes = (element: Element): string[] =>
  (attribute(element, 'class') ?? '').split(/\s+/).filter((name) => name !== '')

/** True if an element has one of these classes. */
export function hasClass(element: Element, ...names: readonly string[]): boolean {
  const own = classes(element)
  return names.some((name) => own.includes(name))
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

/** Every element below a node that fits, in the order of the page, none inside another. */
export function findAll(parent: Parent, fits: (element: Element) => boolean): Element[] {
  const found: Element[] = []
  const collect = (within: Parent): void => {
    for (const child of within.childNodes.filter(isElement))
      if (fits(child)) found.push(child)
      else collect(child)
  }
  collect(parent)
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

/** `col-content` is TypeDoc's, which has no landmark. */
export const isMain = (element: Element): boolean =>
  element.tagName === 'main' || attribute(element, 'role') === 'main' || hasClass(element, 'col-content')

/** The text itself as pages mark it; where nothing is marked, the body without what stands around a text. */
export function contentOf(page: Parent): Parent {
  const body = findElement(page, ({ tagName }) => tagName === 'body') ?? page
  const main = findElement(body, isMain)
  if (main === null) return { ...body, childNodes: body.childNodes.filter(isText) } as Parent
  const text = findElement(
    main,
    (one) => attribute(one, 'id') === '__blog-post-container' || hasClass(one, 'theme-doc-markdown'),
  )
  const articles = findAll(main, ({ tagName }) => tagName === 'article')
  const [article] = articles.length === 1 ? articles : []
  return text ?? (article !== undefined && (hasTitle(article) || !hasTitle(main)) ? article : main)
}

const hasTitle = (parent: Parent): boolean => findElement(parent, ({ tagName }) => tagName === 'h1') !== null

const isText = (node: Parent['childNodes'][number]): boolean =>
  !isElement(node) || !/^(?:header|footer|aside)$/.test(node.tagName) || hasTitle(node)
