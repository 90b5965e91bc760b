/** Fields used of the nodes of a page's tree. */
interface Node {
  readonly type: string
  readonly tagName?: string
  readonly properties?: { readonly value?: unknown }
  children?: Node[]
}

/**
 * Keeps what a diagram of Mermaid is drawn from in the page, which has nothing of it otherwise until a browser draws it: the page's
 * Markdown is made from what was built. On pages with diagrams alone, so that no other page carries more.
 */
export function rehypeDiagrams(): (tree: Node) => void {
  return function keepSources(parent) {
    parent.children?.forEach(keepSources)
    parent.children = parent.children?.flatMap((child) => {
      const source = child.tagName === 'mermaid' ? child.properties?.value : undefined
      if (source === undefined) return [child]
      const kept = { hidden: true, dataMermaid: String(source) }
      return [{ type: 'element', tagName: 'div', properties: kept, children: [] } as Node, child]
    }) as Node[]
  }
}
