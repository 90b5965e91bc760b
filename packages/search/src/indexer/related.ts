import { openIndexFile } from '../format/open.ts'
import { readBlock } from '../format/postings.ts'

/** A page that another one may lead to; `path` is its id in the index. */
export interface RelatedPage {
  readonly title: string
  readonly path: string
}

/** Number of terms by which a page is compared. */
const TERMS = 32
const RELATED = 8
/** Cosine below which two pages share words of any text. */
const MIN_LIKENESS = 0.04

/** A term's pages, and its weight on each: the index's impact times its rarity. */
type Term = { readonly pages: number[]; readonly weights: number[] }

/**
 * Finds for each page others that share its most distinctive terms, best first.
 * @param isCompared given the id of a page, its kind, and a summary of title, headings and description
 */
export function findRelated(
  file: string,
  isCompared: (page: { id: string; kind: string; summary: string }) => boolean,
): Map<string, readonly RelatedPage[]> {
  const database = openIndexFile(file)
  try {
    const pages = new Map<number, RelatedPage>()
    let last = 0
    const rows = database.prepare('SELECT id, key, kind, title, headings, description FROM page')
    for (const { id, key, kind, title, headings, description } of rows.iterate()) {
      const [path, summary] = [String(key), `${title}\n${headings}\n${description}`]
      if (isCompared({ id: path, kind: String(kind), summary }))
        pages.set(Number(id), { title: String(title), path })
      last = Math.max(last, Number(id))
    }
    const [squares, products] = [new Float64Array(last + 1), new Float64Array(last + 1)]
    const heaviest = new Map<number, { weight: number; term: Term }[]>()
    // A term of more pages distinguishes none.
    const most = Math.min(500, Math.max(20, pages.size / 5))
    const read = database.prepare('SELECT block, pages FROM posting WHERE term = ?')
    for (const { term: name } of database.prepare('SELECT DISTINCT term FROM posting').iterate()) {
      const term: Term = { pages: [], weights: [] }
      for (const { block, pages: stored } of read.all(String(name)))
        readBlock(stored, Number(block), (page, impact) => {
          if (pages.has(page)) term.weights[term.pages.push(page) - 1] = impact
        })
      const count = term.pages.length
      for (const [at, page] of term.pages.entries()) {
        const weight = (term.weights[at] ?? 0) * Math.log(pages.size / count)
        term.weights[at] = weight
        squares[page] = (squares[page] ?? 0) + weight ** 2
        if (count < 2 || count > most) continue
        const kept = heaviest.get(page) ?? []
        heaviest.set(page, kept)
        kept.splice(kept.findLastIndex((one) => one.weight >= weight) + 1, 0, { weight, term })
        kept.length = Math.min(kept.length, TERMS)
      }
    }
    const nearest = [...pages].map(([page, { path }]) => {
      const others = new Set<number>()
      for (const { weight, term } of heaviest.get(page) ?? [])
        for (const [at, other] of term.pages.entries()) {
          products[other] = (products[other] ?? 0) + weight * (term.weights[at] ?? 0)
          if (other !== page) others.add(other)
        }
      const best = [...others].flatMap((other) => {
        const likeness = (products[other] ?? 0) / Math.sqrt((squares[page] ?? 0) * (squares[other] ?? 0))
        const known = pages.get(other)
        return known !== undefined && likeness >= MIN_LIKENESS ? { ...known, likeness } : []
      })
      products.fill(0)
      best.sort((one, other) => other.likeness - one.likeness || (one.path < other.path ? -1 : 1))
      return [path, best.slice(0, RELATED)] as const
    })
    return new Map(nearest)
  } finally {
    database.close()
  }
}
