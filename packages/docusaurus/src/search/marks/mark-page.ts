const NAME = 'sekisho-search'
const CONTENT = 'main article'

/**
 * Marks words in the page's content through the CSS Custom Highlight API: no element is added, so React never finds a
 * document it did not make. Browsers without it show the page unmarked. Returns how many were marked.
 */
export function markPage(words: readonly string[]): number {
  clearMarks()
  const content = document.querySelector(CONTENT)
  if (content === null || words.length === 0 || typeof Highlight === 'undefined') return 0
  const { text, nodes } = readText(content)
  const ranges = findWords(text, words).map(([start, end]) => rangeOf(nodes, start, end))
  if (ranges.length > 0) CSS.highlights.set(NAME, new Highlight(...ranges))
  return ranges.length
}

/** Removes the marks. */
export function clearMarks(): void {
  if (typeof Highlight !== 'undefined') CSS.highlights.delete(NAME)
}

type Placed = { readonly node: Text; readonly start: number }

/** The content's text as one string, with the offset of each text node. */
function readText(content: Element): { text: string; nodes: Placed[] } {
  const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT)
  const nodes: Placed[] = []
  let text = ''
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue
    nodes.push({ node, start: text.length })
    text += node.data
  }
  return { text, nodes }
}

/** Converts offsets into a DOM range, which may span several nodes. */
function rangeOf(nodes: readonly Placed[], start: number, end: number): Range {
  const range = document.createRange()
  const first = nodeAt(nodes, start)
  const last = nodeAt(nodes, end - 1)
  if (first !== undefined) range.setStart(first.node, start - first.start)
  if (last !== undefined) range.setEnd(last.node, end - last.start)
  return range
}

function nodeAt(nodes: readonly Placed[], at: number): Placed | undefined {
  let low = 0
  let high = nodes.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((nodes[middle]?.start ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return nodes[low]
}

/** Start and end offset in a text. */
type TextRange = readonly [start: number, end: number]

/** Limit of marks; more cost time without a benefit. */
const MAX_FOUND = 500

/** Finds words in a text whatever their case and spacing; of two that overlap, the first counts. */
export function findWords(text: string, words: readonly string[]): TextRange[] {
  const patterns = words
    .map((word) => word.trim().split(/\s+/).map(escapePattern).join('\\s*'))
    .filter((one) => one !== '')
  if (patterns.length === 0) return []
  const found: TextRange[] = []
  for (const match of text.matchAll(new RegExp(patterns.join('|'), 'giu'))) {
    if (match[0] === '') continue
    found.push([match.index, match.index + match[0].length])
    if (found.length >= MAX_FOUND) break
  }
  return found
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
