import postcss, { type ChildNode } from 'postcss'

/** Finds the part of a style sheet that a page needs for its first paint. */
export interface StyleSheet {
  pickCritical(html: string): string
}

/** A piece of a sheet: text that is there in any case, a rule, or rules below `@media`, `@supports` or `@layer`. */
type Part =
  | { text: string }
  | { selectors: { text: string; needs: readonly string[] }[]; body: string }
  | { head: string; parts: Part[] }

/**
 * Reads a style sheet once. A rule belongs to a page's first paint when each element, class and id of one of its selectors occurs in the
 * page; print rules never do. The whole sheet follows later.
 */
export function readStyleSheet(css: string): StyleSheet {
  const parts = readParts(postcss.parse(css).nodes)
  return { pickCritical: (html) => pick(parts, readPageTokens(html)) }
}

function readParts(nodes: readonly ChildNode[]): Part[] {
  return nodes.flatMap((node): Part[] => {
    if (node.type === 'rule') {
      const selectors = node.selectors.map((text) => ({ text, needs: readSelectorTokens(text) }))
      const declarations = node.nodes.filter(({ type }) => type === 'decl')
      return [{ selectors, body: declarations.join(';') }]
    }
    if (node.type !== 'atrule' || (node.name === 'media' && /\bprint\b/.test(node.params))) return []
    const { name, params, nodes: inside } = node
    if (inside === undefined) return [{ text: `${node};` }]
    if (/keyframes$|^font-face$/.test(name)) return [{ text: String(node) }]
    return [{ head: `@${name}${params === '' ? '' : ` ${params}`}`, parts: readParts(inside) }]
  })
}

function pick(parts: readonly Part[], tokens: ReadonlySet<string>): string {
  const texts = parts.map((part) => {
    if ('text' in part) return part.text
    if ('parts' in part) {
      const inside = pick(part.parts, tokens)
      return inside === '' ? '' : `${part.head}{${inside}}`
    }
    const selectors = part.selectors.filter(({ needs }) => needs.every((token) => tokens.has(token)))
    return selectors.length === 0 ? '' : `${selectors.map(({ text }) => text).join()}{${part.body}}`
  })
  return texts.join('')
}

const ELEMENT = /<([a-z][\w-]*)/gi
const ATTRIBUTE = /\b(class|id)=(?:"([^"]*)"|'([^']*)'|([^\s>]+))/g

/** Elements, classes and ids of a page: `p`, `.navbar`, `#main`. May hold too many, never too few. */
function readPageTokens(html: string): ReadonlySet<string> {
  const tokens = new Set<string>(['html', 'body'])
  for (const [, name = ''] of html.matchAll(ELEMENT)) tokens.add(name.toLowerCase())
  for (const [, attribute, quoted, single, bare] of html.matchAll(ATTRIBUTE)) {
    const words = (quoted ?? single ?? bare ?? '').split(/\s+/)
    for (const word of words) tokens.add((attribute === 'class' ? '.' : '#') + word)
  }
  return tokens
}

/** Selector parts that the prerendered page lacks or may change at any time: they never rule a selector out. */
const OPEN = /\[[^\]]*\]|::?[\w-]+(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?/g
const TOKEN = /([.#]?)((?:\\.|[\w-]|[^\0-\x7f])+)/g

/** The tokens a page must have for a selector without commas to match anything in it. */
function readSelectorTokens(selector: string): string[] {
  const names = selector.replace(OPEN, ' ').matchAll(TOKEN)
  return [...names].map(([, prefix = '', name = '']) =>
    prefix === '' ? name.toLowerCase() : prefix + name.replace(/\\(.)/g, '$1'),
  )
}
