import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { MAX_IMPACT } from '../../format/postings.ts'
import type { IndexPage } from './page.ts'
import { analysePage, type PageAnalysis, type PageWord, type WordReadings } from './page-analysis.ts'
import { type BatchWords, type CountedWords, countWords, packWords } from './word-counts.ts'

/** Contribution of a page to the tables that all pages share. */
export type PageShare = Pick<PageAnalysis, 'words' | 'glosses' | 'terms'>

/** A word without what only its first page writes. */
const asCounted = ([key, reading, , , place]: PageWord): PageWord => [key, reading, '', '', place, 0, '']

/** Pages that were analysed together. What they share with each other is added up: handing it over costs as much as finding it. */
export interface AnalysedBatch extends Pick<CountedWords, 'glosses'> {
  /** Of each page its index columns and its packed {@link PageShare}. */
  readonly pages: readonly { readonly columns: readonly string[]; readonly share: Uint8Array }[]
  readonly words: BatchWords
  readonly terms: BatchTerms
}

/** Terms of a batch in few objects, since each is copied between threads by itself. */
export interface BatchTerms {
  /** One a line. */
  readonly names: string
  /** Number of entries of each term. */
  readonly counts: Uint16Array
  /** Places of pages in the batch times {@link IMPACTS} plus the impact. */
  readonly entries: Uint16Array
}

/** Number of impacts, 0 among them. */
export const IMPACTS = MAX_IMPACT + 1

/** Analyses pages and adds up what they count for. `told` has the words of earlier batches of the thread. */
export function analyseBatch(
  pages: readonly IndexPage[],
  readings: WordReadings,
  told: Set<string>,
): AnalysedBatch {
  const counted: CountedWords = { words: new Map(), glosses: new Map() }
  const terms = new Map<string, number[]>()
  const analysed = pages.map((page, place) => {
    const analysis = analysePage(page, readings)
    countWords(counted, analysis, 1)
    for (const [at, term] of analysis.terms.terms.entries()) {
      const entry = place * IMPACTS + (analysis.terms.impacts[at] ?? 0)
      const known = terms.get(term)
      if (known === undefined) terms.set(term, [entry])
      else known.push(entry)
    }
    return { columns: analysis.columns, share: pack(analysis) }
  })
  const lists = [...terms.values()]
  const counts = Uint16Array.from(lists, (list) => list.length)
  const entries = Uint16Array.from(lists.flat())
  return {
    pages: analysed,
    words: packWords(counted, told),
    glosses: counted.glosses,
    terms: { names: [...terms.keys()].join('\n'), counts, entries },
  }
}

/** The share is written once for each page and read when the page changes. */
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

function pack({ words, glosses, terms }: PageShare): Uint8Array {
  return zstdCompressSync(JSON.stringify({ words: words.map(asCounted), glosses, terms }), FAST)
}

/** Reads a packed share. Throws when there is none. */
export function unpackShare(content: unknown): PageShare {
  if (!(content instanceof Uint8Array))
    throw new Error('The search cache lost a page; delete the cache folder')
  return JSON.parse(zstdDecompressSync(content).toString())
}
