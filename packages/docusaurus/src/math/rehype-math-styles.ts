/** As much of hast and of MDX's nodes as is needed here. */
type Node = {
  readonly type: string
  readonly properties?: { readonly className?: unknown }
  readonly children?: Node[]
  readonly [key: string]: unknown
}

/**
 * A rehype plugin to stand after rehype-katex: pages with a formula, and only they, ask for KaTeX's style sheet. Takes
 * what `katexHref` returned.
 */
export function rehypeMathStyles(href: string | null): (tree: Node) => void {
  return (tree) => {
    if (href === null || !hasFormula(tree)) return
    tree.children?.push({
      type: 'mdxJsxFlowElement',
      name: 'MathStyles',
      attributes: [{ type: 'mdxJsxAttribute', name: 'href', value: href }],
      children: [],
    })
  }
}

function hasFormula(node: Node): boolean {
  const classes = node.properties?.className
  if (Array.isArray(classes) && classes.includes('katex')) return true
  return node.children?.some(hasFormula) ?? false
}
