import { allElements } from './folder-references.ts'

const MIN_CHARS = 20
const MAX_CHARS = 80
/** Text that more pages than this have is no page's own. */
const MAX_PAGES = 3
const MIN_OWN_CHARS = 60
const SHARE = 0.8

/** Beginnings of a page's longer runs of text. */
export function piecesOf(html: string): ReadonlySet<string> {
  const pieces = new Set<string>()
  for (const { tagName, childNodes } of allElements(html)) {
    if (tagName === 'script' || tagName === 'style' || tagName === 'title') continue
    for (const node of childNodes) {
      const text = node.nodeName === '#text' && 'value' in node ? node.value.replace(/\s+/g, ' ').trim() : ''
      if (text.length >= MIN_CHARS) pieces.add(text.slice(0, MAX_CHARS))
    }
  }
  return pieces
}

/**
 * Finds, for each page that repeats nearly all text of two others or more, those others: a generator's page for printing holds every page.
 * One copy of one page is no such page. Of other files (`llms-full.txt`), finds the restricted pages that each repeats.
 */
export function findRepeated(
  pages: ReadonlyMap<string, ReadonlySet<string>>,
  restricted: ReadonlySet<string>,
  texts: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly string[]> {
  const holders = new Map<string, string[]>()
  for (const [name, pieces] of pages)
    for (const piece of pieces) holders.set(piece, [...(holders.get(piece) ?? []).slice(0, MAX_PAGES), name])
  const isOwn = (piece: string) => (holders.get(piece)?.length ?? 0) <= MAX_PAGES
  const sizeOf = (pieces: readonly string[]) => pieces.reduce((sum, one) => sum + one.length, 0)
  const sizes = new Map([...pages].map(([name, pieces]) => [name, sizeOf([...pieces].filter(isOwn))]))
  const found = new Map<string, readonly string[]>()
  for (const [name, pieces] of pages) {
    const shared = new Map<string, number>()
    for (const piece of pieces)
      for (const other of isOwn(piece) ? (holders.get(piece) ?? []) : [])
        if (other !== name) shared.set(other, (shared.get(other) ?? 0) + piece.length)
    const repeated = [...shared].filter(([other, chars]) => {
      const size = sizes.get(other) ?? 0
      return size >= MIN_OWN_CHARS && chars >= SHARE * size && size < (sizes.get(name) ?? 0)
    })
    if (repeated.length > 1)
      found.set(
        name,
        repeated.map(([other]) => other),
      )
  }
  for (const [name, text] of texts) {
    const line = text.replace(/\s+/g, ' ')
    const repeated = [...restricted].filter((page) => {
      const pieces = [...(pages.get(page) ?? [])].filter(isOwn)
      const size = sizeOf(pieces)
      return size >= MIN_OWN_CHARS && sizeOf(pieces.filter((one) => line.includes(one))) >= SHARE * size
    })
    if (repeated.length > 0) found.set(name, repeated)
  }
  return found
}
