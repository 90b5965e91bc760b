/** Longest query, in UTF-16 units; the search field takes no more. */
export const MAX_QUERY_CHARS = 500

/** Parts of a portal that a search can be limited to, besides everything. `page` is what no plugin for texts made. */
export type Area = 'docs' | 'knowledge' | 'blog' | 'page'

/** Filters of a search, by request parameter. */
export interface SearchFilters {
  readonly section?: Area
  /** Path that the page's address begins with, such as `/docs/guide`. */
  readonly folder?: string
  readonly tag?: string
  readonly version?: string
  /** First and last day of the last change, YYYY-MM-DD. */
  readonly since?: string
  readonly until?: string
}

const AREAS: ReadonlySet<string> = new Set<Area>(['docs', 'knowledge', 'blog', 'page'])
const MAX_FILTER_CHARS = 200
const isArea = (value: string): value is Area => AREAS.has(value)
const isText = (value: string): boolean => value !== '' && value.length <= MAX_FILTER_CHARS
const isDay = (value: string): boolean => /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
const FILTERS: Readonly<Record<keyof SearchFilters, (value: string) => boolean>> = {
  section: isArea,
  folder: (value) => value.startsWith('/') && isText(value),
  tag: isText,
  version: isText,
  since: isDay,
  until: isDay,
}

/** The parameters that say where to look. */
export const FILTER_NAMES = Object.keys(FILTERS) as readonly (keyof SearchFilters)[]

/** Reads the filters of a request or an address, each at most once; null when a value is none. */
export function readFilters(parameters: URLSearchParams): SearchFilters | null {
  const given = FILTER_NAMES.flatMap((name) => {
    const value = parameters.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return given.every(([name, value]) => FILTERS[name](value)) ? Object.fromEntries(given) : null
}

/** A value that some of the found pages have; `label` is how a reader knows it. */
export interface FilterChoice {
  readonly value: string
  readonly label: string
  readonly pages: number
}

/** By what the found pages differ; a list is empty when they do not. */
export interface FilterChoices {
  readonly folders: readonly FilterChoice[]
  readonly tags: readonly FilterChoice[]
  readonly versions: readonly FilterChoice[]
  /** Oldest and newest day among them; null when none has a day. */
  readonly days: readonly [oldest: string, newest: string] | null
}

/** Start and end of a match in UTF-16 units of the text it belongs to; `other` for another word of the same meaning. */
export type MarkedRange = readonly [start: number, end: number, as?: 'other']

/** A section of a found page; `url` leads to its heading. */
export interface FoundSection {
  readonly heading: string
  readonly headingMarks: readonly MarkedRange[]
  readonly anchor: string
  readonly url: string
  readonly snippet: {
    readonly text: string
    readonly marks: readonly MarkedRange[]
    readonly cutStart: boolean
    readonly cutEnd: boolean
  }
}

/** A found page with the sections that answer best. */
export interface FoundPage {
  readonly id: string
  readonly url: string
  /** Path of the result: the section whose heading is the query, else the page itself. */
  readonly target?: string
  readonly title: string
  readonly titleMarks: readonly MarkedRange[]
  readonly kind: string
  readonly breadcrumbs: readonly string[]
  readonly sections: readonly FoundSection[]
  /** Owner and state of the page; absent where its metadata says nothing of them. */
  readonly status?: {
    readonly owner?: string
    readonly reviewed?: string
    readonly review_overdue?: true
    readonly obsolete?: true
    readonly replaced_by?: string
  }
}

/** `GET /__gate/search?q=…&limit=…`, with filters. */
export interface SearchResponse {
  readonly results: readonly FoundPage[]
  readonly didYouMean: string | null
  /** No page has all of the query: these have a part of it, or match its closest reading. */
  readonly relaxed: boolean
  readonly choices: FilterChoices
  /** The page that answers questions, and if the query reads like one; absent where questions are not answered. */
  readonly ask?: { readonly path: string; readonly isSentence: boolean }
  /** The same request with `rewrite=1` searches with short queries for this sentence. */
  readonly canRewrite?: true
  /** Short queries that found these results, in place of the reader's words. */
  readonly rewrites?: readonly string[]
}

/** Reads the gate's JSON; null for anything that is no search response (a proxy's page, an older gate). */
export function readSearchResponse(value: unknown): SearchResponse | null {
  const isAnswer =
    typeof value === 'object' &&
    value !== null &&
    'choices' in value &&
    'results' in value &&
    Array.isArray(value.results)
  return isAnswer ? (value as unknown as SearchResponse) : null
}

/** `POST /__gate/search/opened`: a reader followed a result. */
export interface OpenedResult {
  readonly q: string
  /** 1 for the first result. */
  readonly rank: number
  /** Route of the page that was opened. */
  readonly page: string
}
