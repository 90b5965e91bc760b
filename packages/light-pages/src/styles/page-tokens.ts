/** Names of elements, classes and ids that occur in a page. May hold too many, never too few. */
export interface PageTokens {
  has(token: string): boolean
}

const ELEMENT = /<([a-z][\w-]*)/gi
const ATTRIBUTE = /\b(class|id)=(?:"([^"]*)"|'([^']*)'|([^\s>]+))/g

/** Reads the tokens of a page: `p`, `.navbar`, `#main`. */
export function readPageTokens(html: string): Set<string> {
  const tokens = new Set<string>(['html', 'body'])
  for (const [, name = ''] of html.matchAll(ELEMENT)) tokens.add(name.toLowerCase())
  const seen = new Set<string>() // most elements of a page look like another one
  for (const [whole, attribute, quoted, single, bare] of html.matchAll(ATTRIBUTE)) {
    if (seen.has(whole)) continue
    seen.add(whole)
    const prefix = attribute === 'class' ? '.' : '#'
    const value = quoted ?? single ?? bare ?? ''
    for (const word of value.split(/\s+/)) if (word !== '') tokens.add(prefix + word)
  }
  return tokens
}

/** What has no counterpart in the prerendered page or may change in it at any time: it never rules a selector out. */
const OPEN = /\[[^\]]*\]|::?[\w-]+(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?/g
const TOKEN = /([.#]?)((?:\\.|[\w-]|[^\0-\x7f])+)/g

/** The tokens a page must have for a selector without commas to match anything in it. */
export function readSelectorTokens(selector: string): string[] {
  const names = selector.replace(OPEN, ' ').matchAll(TOKEN)
  return [...names].map(([, prefix = '', name = '']) =>
    prefix === '' ? name.toLowerCase() : prefix + name.replace(/\\(.)/g, '$1'),
  )
}
