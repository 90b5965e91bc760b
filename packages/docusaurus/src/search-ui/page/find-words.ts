/** Start and end of a stretch of text. */
export type Stretch = readonly [start: number, end: number]

/** More marks than this help nobody and cost time. */
const MAX_FOUND = 500

/** Finds words in a text whatever their case and spacing; where two overlap the one that begins first counts. */
export function findWords(text: string, words: readonly string[]): Stretch[] {
  const patterns = words
    .map((word) => word.trim().split(/\s+/).map(escapePattern).join('\\s*'))
    .filter((one) => one !== '')
  if (patterns.length === 0) return []
  const found: Stretch[] = []
  for (const match of text.matchAll(new RegExp(patterns.join('|'), 'giu'))) {
    if (match[0] === '') continue
    found.push([match.index, match.index + match[0].length])
    if (found.length >= MAX_FOUND) break
  }
  return found
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
