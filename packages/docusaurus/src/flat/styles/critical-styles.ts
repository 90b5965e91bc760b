import postcss, { type AtRule, type ChildNode, type Root, type Rule } from 'postcss'
import type { KeptResults } from '../../results/kept-results.ts'
import { readPageTokens, readSelectorTokens } from './page-tokens.ts'

/** Finds the part of a style sheet that a page needs for its first paint. */
export interface StyleSheet {
  pickCritical(html: string): string
}

/**
 * Reads a style sheet once. A rule belongs to a page's first paint when every element, class and id of one of
 * its selectors occurs in the page, in whatever arrangement and state; rules for print never do. The whole
 * sheet follows, so what is left out here is only late. `kept` knows what earlier builds picked.
 */
export function readStyleSheet(css: string, kept?: KeptResults<string>): StyleSheet {
  const sheet = postcss.parse(css)
  const needs = new Map<string, string[]>()
  sheet.walkRules(({ selectors }) => {
    for (const selector of selectors) needs.set(selector, readSelectorTokens(selector))
  })
  const known = [...new Set([...needs.values()].flat())].sort()
  const picked = new Map<string, string>()
  return {
    pickCritical(html) {
      const tokens = readPageTokens(html)
      // Pages with the same tokens, which is nearly all of a kind, share their styles.
      const key = known.filter((token) => tokens.has(token)).join(' ')
      const pick = () =>
        write(sheet, (selector) => needs.get(selector)?.every((token) => tokens.has(token)) ?? true)
      const text = picked.get(key) ?? kept?.find(JSON.stringify([css, key]), pick) ?? pick()
      picked.set(key, text)
      return text
    },
  }
}

function write(sheet: Root, matches: (selector: string) => boolean): string {
  const root = sheet.clone()
  root.walkComments((comment) => {
    comment.remove()
  })
  for (const node of [...root.nodes]) prune(node, matches)
  dropUnused(root)
  return root.toString()
}

function prune(node: ChildNode, matches: (selector: string) => boolean): void {
  if (node.type === 'rule') pruneRule(node, matches)
  if (node.type !== 'atrule' || node.nodes === undefined || /keyframes$|^font-face$/.test(node.name)) return
  if (node.name === 'media' && /\bprint\b/.test(node.params)) {
    node.remove()
    return
  }
  for (const child of [...node.nodes]) prune(child, matches)
  if (node.nodes.length === 0) node.remove()
}

function pruneRule(rule: Rule, matches: (selector: string) => boolean): void {
  const selectors = rule.selectors.filter(matches)
  if (selectors.length === 0) rule.remove()
  else rule.selectors = selectors
}

/** Animations nobody runs and custom properties nobody reads: a theme defines hundreds and a page reads dozens. */
function dropUnused(root: Root): void {
  root.walkAtRules(/keyframes$/, (keyframes: AtRule) => {
    if (!isAnimated(root, keyframes.params)) keyframes.remove()
  })
  for (let dropped = 1; dropped > 0; ) {
    dropped = 0
    const read = new Set([...root.toString().matchAll(/var\(\s*(--[\w-]+)/g)].map(([, name]) => name))
    root.walkDecls(/^--/, (declaration) => {
      if (read.has(declaration.prop)) return
      dropped += 1
      const { parent } = declaration
      declaration.remove()
      if (parent?.nodes?.length === 0) parent.remove()
    })
  }
}

function isAnimated(root: Root, name: string): boolean {
  let found = false
  root.walkDecls(/animation/, ({ value }) => {
    found ||= value.split(/[\s,]+/).includes(name)
  })
  return found
}
