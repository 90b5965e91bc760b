import type { FoundPage, SearchResponse } from '@sekisho/contract/search-response'
import { countTokens, type PageText, readPageText, takePart, visibleText } from '../agents/mcp/page-text.ts'

/** The pages of one reader's edition: nothing else is ever read for an answer. */
export interface ReadablePages {
  search(q: string, limit: number): Promise<SearchResponse | null>
  /** The page at a path or address of the edition, as Markdown; null for everything else. */
  read(page: string): Promise<ReadablePage | null>
}

interface ReadablePage {
  readonly path: string
  readonly title: string
  /** Address for people, without an anchor. */
  readonly url: string
  /** SHA-256 of the page's file, for the audit trail. */
  readonly sha256: string
  readonly markdown: string
}

/** A part of a page that the model is given, numbered from 1. */
export interface Passage {
  readonly n: number
  readonly path: string
  readonly sha256: string
  readonly url: string
  readonly title: string
  readonly heading: string
  /** Day of the page's last change, YYYY-MM-DD; empty if unknown. */
  readonly updated: string
  readonly text: string
}

/** A question with what its reader has open. */
export interface AskedQuestion {
  readonly question: string
  /** Path of the open page; empty if none. */
  readonly page: string
  readonly selection: string
  /** Earlier questions of the tab, oldest first, with the sources of their answers. */
  readonly turns: readonly EarlierTurn[]
}

export interface EarlierTurn {
  readonly question: string
  /** Addresses or paths of sections, as the server named them. */
  readonly sources: readonly string[]
}

export interface FoundPassages {
  readonly passages: readonly Passage[]
  /** Pages to show in place of an answer. */
  readonly nearest: readonly Pick<FoundPage, 'url' | 'title'>[]
}

const MAX_TOKENS = 6_000
const RESULTS = 12
/** Of the first pages every found section is taken, of the further ones the best. */
const FULL_PAGES = 4
const MAX_PAGES = 8
const SECTIONS_OF_PAGE = 3
const SECTION_TOKENS = 400
const WHOLE_PAGE_TOKENS = 1_500
const OPEN_PAGE_TOKENS = 2_000
const MIN_TOKENS = 40
/** The lines around each passage in the prompt. */
const ENVELOPE_TOKENS = 20
/** Of reciprocal rank fusion; the question counts as two queries. */
const RANK_CONSTANT = 10
const QUESTION_WEIGHT = 2

/** A page together with its text, which is read once. */
interface OpenedPage extends ReadablePage {
  readonly text: PageText
}

/**
 * Finds the passages for an answer: sections found by the question and its rewrites, the open page, and sources of earlier turns, read
 * again. The question is searched for while the model rewrites it. Text from the browser is untrusted: a selection must stand in the open
 * page.
 */
export async function findPassages(
  asked: AskedQuestion,
  rewriting: Promise<readonly string[]>,
  pages: ReadablePages,
): Promise<FoundPassages> {
  const lastTurn = asked.turns.at(-1)
  const searchAll = (queries: readonly string[]) => Promise.all(queries.map((q) => pages.search(q, RESULTS)))
  const followUp = lastTurn === undefined ? [] : [`${lastTurn.question} ${asked.question}`]
  const responses = (
    await Promise.all([searchAll([asked.question]), rewriting.then(searchAll), searchAll(followUp)])
  ).flat()
  const found = fusePages(responses, QUESTION_WEIGHT)
  /** Of a page all sections that any of the searches showed. */
  const anchorsOf = (url: string) => {
    const pages = responses.flatMap((response) => response?.results.filter((page) => page.url === url) ?? [])
    const anchors = pages.flatMap(({ sections }) => sections.map(({ anchor }) => anchor))
    return [...new Set(anchors)].filter((anchor) => anchor !== '')
  }
  const collected = createCollection()
  const read = async (name: string): Promise<OpenedPage | null> => {
    const page = await pages.read(name)
    return page && { ...page, text: readPageText(page.markdown) }
  }
  const open = asked.page === '' ? null : await read(asked.page)
  if (open !== null) addOpenPage(collected, open, asked.selection)
  for (const source of lastTurn?.sources ?? []) {
    const [path = '', anchor = ''] = splitAnchor(source)
    const page = await read(path)
    if (page !== null) collected.add(page, anchor, SECTION_TOKENS)
  }
  for (const [index, { url }] of found.slice(0, MAX_PAGES).entries()) {
    const page = await read(url)
    if (page === null) continue
    const isShort = countTokens(page.text.text) <= WHOLE_PAGE_TOKENS
    if (index < FULL_PAGES && isShort) collected.add(page, '', WHOLE_PAGE_TOKENS)
    else {
      const wanted = index < FULL_PAGES ? SECTIONS_OF_PAGE : 1
      const anchors = anchorsOf(url)
      const taken = anchors.length === 0 ? [''] : anchors.slice(0, wanted)
      for (const anchor of taken) collected.add(page, anchor, SECTION_TOKENS)
    }
  }
  const nearest = found.slice(0, SECTIONS_OF_PAGE).map(({ url, title }) => ({ url, title }))
  return { passages: collected.passages, nearest }
}

function addOpenPage(collected: Collection, page: OpenedPage, selection: string): void {
  const selected = foldText(selection)
  const anchor = selected === '' ? null : findSelected(page.text, selected)
  if (anchor !== null) collected.add(page, anchor, OPEN_PAGE_TOKENS)
  collected.add(page, '', OPEN_PAGE_TOKENS)
}

/** Anchor of the last section from which a folded selection can be reached; null where it does not stand below a heading. Each section is folded once. */
function findSelected({ text, sections }: PageText, selected: string): string | null {
  const folded = sections.map(({ start }, at) => foldText(text.slice(start, sections[at + 1]?.start)))
  let left = folded.join('').lastIndexOf(selected)
  if (left === -1) return null
  const at = folded.findIndex(({ length }) => {
    left -= length
    return left < 0
  })
  return sections[at]?.anchor ?? null
}

interface Collection {
  readonly passages: Passage[]
  add(page: OpenedPage, anchor: string, maxTokens: number): void
}

/** Passages up to the limit, none twice and none within another. */
function createCollection(): Collection {
  const passages: Passage[] = []
  let left = MAX_TOKENS
  return {
    passages,
    add(page, anchor, maxTokens) {
      const parts = anchor === '' ? partsOf(page.text) : [{ anchor, of: page.text }]
      let rest = maxTokens
      for (const { anchor, of } of parts) {
        if (Math.min(rest, left) < MIN_TOKENS) return
        const part = takePart(of, of === page.text ? anchor : '', Math.min(rest, left))
        const text = visibleText(part.text).trim()
        const isKnown = passages.some((one) => one.path === page.path && one.text.includes(text))
        if (text === '' || isKnown) continue
        const tokens = countTokens(text) + ENVELOPE_TOKENS
        left -= tokens
        rest -= tokens
        const section = page.text.sections.find((one) => one.anchor === anchor)
        passages.push({
          n: passages.length + 1,
          path: page.path,
          sha256: page.sha256,
          title: visibleText(page.title),
          url: section === undefined ? page.url : `${page.url}#${encodeURIComponent(anchor)}`,
          heading: visibleText(section?.heading ?? page.title),
          updated: /^\d{4}-\d\d-\d\d/.exec(page.text.facts.updated ?? '')?.[0] ?? '',
          text,
        })
      }
    },
  }
}

/** A whole page by its headings, so that a sentence cites the one that supports it; headings without text of their own are left out. */
function partsOf({ text, sections, facts }: PageText): readonly { anchor: string; of: PageText }[] {
  const starts = [{ anchor: '', start: 0 }, ...sections.filter(({ level }) => level > 1)]
  return starts.flatMap(({ anchor, start }, at) => {
    const own = text.slice(start, starts[at + 1]?.start).trim()
    return /^#+ [^\n]*$/.test(own) ? [] : [{ anchor, of: { text: own, sections: [], facts } }]
  })
}

/** Reciprocal rank fusion over pages, each with the sections of the first response that has it. */
export function fusePages(
  responses: readonly (Pick<SearchResponse, 'results'> | null)[],
  firstWeight = 1,
): readonly FoundPage[] {
  const fused = new Map<string, { readonly page: FoundPage; score: number }>()
  for (const [query, response] of responses.entries())
    for (const [rank, page] of (response?.results ?? []).entries()) {
      const known = fused.get(page.url) ?? { page, score: 0 }
      known.score += (query === 0 ? firstWeight : 1) / (RANK_CONSTANT + rank + 1)
      fused.set(page.url, known)
    }
  return [...fused.values()].sort((one, other) => other.score - one.score).map(({ page }) => page)
}

/** A text as names are compared: NFKC, lower case, white space folded, without invisible characters and Markdown's marks. */
export function plainText(text: string): string {
  return visibleText(text)
    .normalize('NFKC')
    .replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
    .replace(/[*`\\]/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase()
}

/** A text as quotes are compared, without white space. */
export const foldText = (text: string): string => plainText(text).replace(/\s+/g, '')

function splitAnchor(source: string): readonly [path: string, anchor: string] {
  const at = source.indexOf('#')
  if (at === -1) return [source, '']
  try {
    return [source.slice(0, at), decodeURIComponent(source.slice(at + 1))]
  } catch {
    return [source.slice(0, at), '']
  }
}
