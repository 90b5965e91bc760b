/** As much of hast and of MDX's nodes as is needed here. */
type Node = {
  readonly type: string
  tagName?: string
  name?: string | null
  readonly value?: string
  readonly properties?: Record<string, unknown>
  readonly children?: Node[]
  readonly [key: string]: unknown
}

/**
 * A rehype plugin: check boxes are named by their item, an empty head of a column is an ordinary cell, and a table written as
 * an element scrolls as others do.
 */
export function rehypeAccessible(): (tree: Node) => void {
  return function visit(node) {
    if (node.tagName === 'th' && textOf(node).trim() === '') node.tagName = 'td'
    if (node.tagName === 'li') nameCheckBox(node)
    if (node.type === 'mdxJsxFlowElement' && node.name === 'table') node.name = 'ScrollableTable'
    node.children?.forEach(visit)
  }
}

function nameCheckBox(item: Node): void {
  const inside = item.children?.flatMap((child) => (child.tagName === 'p' ? (child.children ?? []) : [child]))
  const box = inside?.find(
    ({ tagName, properties }) => tagName === 'input' && properties?.type === 'checkbox',
  )
  if (box?.properties !== undefined) box.properties.ariaLabel = textOf(item).replace(/\s+/g, ' ').trim()
}

function textOf({ value, children = [] }: Node): string {
  return value ?? children.map(textOf).join('')
}
