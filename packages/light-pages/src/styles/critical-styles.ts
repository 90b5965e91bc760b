import postcss from 'postcss'
import { readPageTokens } from './page-tokens.ts'
import { writeStyles } from './pick-styles.ts'
import { listNeeds, readStyleNodes } from './style-tree.ts'

/** Finds the part of a style sheet that a page needs for its first paint. */
export interface StyleSheet {
  pickCritical(html: string): string
}

/**
 * Reads a style sheet once. A rule belongs to a page's first paint when every element, class and id of one of
 * its selectors occurs in the page, in whatever arrangement and state; rules for print never do. The whole
 * sheet follows, so what is left out here is only late.
 */
export function readStyleSheet(css: string): StyleSheet {
  const nodes = readStyleNodes(postcss.parse(css).nodes)
  const known = [...new Set(listNeeds(nodes))].sort()
  const picked = new Map<string, string>()
  return {
    pickCritical(html) {
      const tokens = readPageTokens(html)
      // Pages with the same tokens, which is nearly all of a kind, share their styles.
      const key = known.filter((token) => tokens.has(token)).join(' ')
      const matches = (needs: readonly string[]) => needs.every((token) => tokens.has(token))
      const text = picked.get(key) ?? writeStyles(nodes, matches)
      picked.set(key, text)
      return text
    },
  }
}
