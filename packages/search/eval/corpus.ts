import { createReadStream, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { createZstdDecompress } from 'node:zlib'
import type { IndexPage, PageKind } from '../src/indexer/index.ts'

/** A query with the pages that answer it (grade 2) or are relevant (grade 1); none means: find nothing. */
export interface LabelledQuery {
  readonly q: string
  readonly c: string
  readonly rel: readonly { readonly id: string; readonly g: number }[]
}

interface CorpusLine {
  readonly id: string
  readonly title: string
  readonly kind?: string
  readonly sections: readonly { h: string; l: number; a: string; t: string }[]
}

const KINDS: Readonly<Record<string, PageKind>> = {
  doc: 'docs',
  docs: 'docs',
  knowledge: 'knowledge',
  blog: 'blog',
  article: 'blog',
}

/** Reads a corpus of one page a line, `.jsonl` or `.jsonl.zst`, one after another. */
export async function* corpusPages(file: string): AsyncGenerator<IndexPage> {
  const bytes = createReadStream(file)
  const input = file.endsWith('.zst') ? bytes.pipe(createZstdDecompress()) : bytes
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
    if (line !== '') yield readPage(JSON.parse(line))
}

/** Reads a whole corpus. */
export const readCorpus = (file: string): Promise<IndexPage[]> => Array.fromAsync(corpusPages(file))

/** Writes pages as a corpus that `readCorpus` reads; addresses are their ids there. */
export function writeCorpus(file: string, pages: readonly IndexPage[]): void {
  const lines = pages.map(({ id, title, kind, sections }): CorpusLine => {
    const short = sections.map(({ heading, level, anchor, text }) => ({
      h: heading,
      l: level,
      a: anchor,
      t: text,
    }))
    return { id, title, kind, sections: short }
  })
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

/** Reads labelled queries. */
export function readQueries(file: string): LabelledQuery[] {
  const queries: (Omit<LabelledQuery, 'rel'> & { rel?: LabelledQuery['rel'] })[] = JSON.parse(
    readFileSync(file, 'utf8'),
  )
  return queries.map(({ q, c, rel }) => ({ q, c, rel: rel ?? [] }))
}

/** Reads short queries by the question that they were written for. */
export function readRewrites(file: string): ReadonlyMap<string, readonly string[]> {
  return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8'))))
}

/** Tells if these pages answer a query, possibly written for more pages: one of the best grade that it has must be among them. */
export function isAnswered({ rel }: LabelledQuery, ids: ReadonlySet<string>): boolean {
  const best = Math.max(...rel.map(({ g }) => g))
  return rel.length === 0 || rel.some(({ id, g }) => g === best && ids.has(id))
}

function readPage(line: CorpusLine): IndexPage {
  return {
    id: line.id,
    url: `/${line.id}`,
    title: line.title,
    kind: KINDS[line.kind ?? 'doc'] ?? 'page',
    breadcrumbs: [],
    sections: line.sections.map(({ h, l, a, t }) => ({ heading: h, level: l, anchor: a, text: t })),
  }
}
