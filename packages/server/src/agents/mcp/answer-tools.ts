import { randomBytes } from 'node:crypto'
import { MAX_COMMENT_CHARS } from '@sekisho/contract/page-feedback'
import { MAX_QUERY_CHARS, readSearchResponse } from '@sekisho/contract/search-response'
import { obsoleteLast, type ReadStatuses } from '../../kernel/page-status.ts'
import type { NamedIndex, ServedEdition } from '../../kernel/reader.ts'
import type { FeedbackLog } from '../../state/feedback/index.ts'
import type { Account } from '../../state/sessions/index.ts'
import { findPage, type NamedPage, pathOfUrl, urlOf } from './find-page.ts'
import type { JsonObject } from './messages.ts'
import { countTokens, readPageText, takePart, visibleText } from './page-text.ts'
import { type FoundInLanguage, searchLanguages } from './search-languages.ts'
import {
  DEFAULT_RESULTS,
  MAX_ARGUMENT_CHARS,
  MAX_FETCH_TOKENS,
  MAX_RESULTS,
  NOTE,
  type ToolName,
} from './tools.ts'

export interface ToolOptions {
  readonly origin: URL
  /** The search of readers, which accounts share. */
  readonly searches: {
    run(
      account: Account,
      job: NamedIndex & { readonly query: { readonly q: string; readonly limit: number } },
    ): Promise<{ readonly json: string }>
  }
  /** Account of the agent's reader. */
  readonly account: Account
  readonly feedbackLog: FeedbackLog
  /** Status of pages, with the confirmations of owners. */
  readonly readStatuses: ReadStatuses
  /** Day by which reviews are overdue, `YYYY-MM-DD`. */
  readonly today: string
  /** Counter of searches, and of pages asked for that are not there. */
  readonly noteSearch: (q: string, hits: number) => void
}

/** Result of a tool, and its fields for the trail. */
interface ToolAnswer {
  /** A text where it failed. */
  readonly result: JsonObject | string
  /** Paths of the pages of which it gave something. */
  readonly pages: readonly string[]
  /** Query of a search. */
  readonly query?: string
}

const failed = (result: string): ToolAnswer => ({ result, pages: [] })
/** The same for a page that is not there, one of another edition, and nonsense. */
const NOT_FOUND = failed('There is no such page. search finds pages, list names them.')
const MIN_FETCH_TOKENS = 200
const MAX_SNIPPET_CHARS = 300
const MAX_NAMED_SECTIONS = 40

/** One call of a tool, answered from what the reader is served. */
type Answer = (
  args: JsonObject,
  served: ServedEdition,
  options: ToolOptions,
) => Promise<ToolAnswer> | ToolAnswer

const ANSWERS: Readonly<Record<ToolName, Answer>> = { search, fetch: fetchPage, list, feedback }

/** Answers a call of a tool. Unknown arguments are left alone, numbers out of range are brought into it; no text may be too long. */
export async function answerTool(
  name: ToolName,
  args: JsonObject,
  served: ServedEdition,
  options: ToolOptions,
): Promise<ToolAnswer> {
  const isLong = (value: unknown) => typeof value === 'string' && value.length > MAX_ARGUMENT_CHARS
  if (Object.values(args).some(isLong))
    return failed(`An argument is too long: at most ${MAX_ARGUMENT_CHARS} characters.`)
  return ANSWERS[name](args, served, options)
}

function list(args: JsonObject, served: ServedEdition, { origin }: ToolOptions): ToolAnswer {
  const { path, results, more } = listBelow(served, readText(args.path), origin)
  return { result: { path, results, ...(more && { more }) }, pages: [] }
}

async function search(args: JsonObject, served: ServedEdition, options: ToolOptions): Promise<ToolAnswer> {
  const q = [args.query, args.question, args.q].map(readText).find((text) => text !== '')
  if (q === undefined) return failed('query is missing: a few words to look for.')
  const query = q.slice(0, MAX_QUERY_CHARS)
  const limit = clamp(args.limit, DEFAULT_RESULTS, 1, MAX_RESULTS)
  const found = await searchLanguages(
    query,
    { wanted: readText(args.language), limit },
    served,
    async (index, most) => {
      const { json } = await options.searches.run(options.account, {
        ...index,
        query: { q: query, limit: most },
      })
      return readSearchResponse(JSON.parse(json))
    },
  )
  const isObsolete = ({ page: { url } }: FoundInLanguage) =>
    served.edition.files.get(pathOfUrl(url, options.origin))?.page?.status === 'obsolete'
  const ordered = obsoleteLast(found.results, isObsolete)
  const results = await Promise.all(ordered.map((one) => describeFound(one, served, options)))
  options.noteSearch(query, results.length)
  const { didYouMean, relaxed, languages } = found
  const about = { relaxed, languages, ...(didYouMean !== null && { did_you_mean: didYouMean }) }
  return {
    result: { note: NOTE, results, ...about },
    pages: ordered.map(({ page: { url } }) => pathOfUrl(url, options.origin)),
    query,
  }
}

/** The section that answers best stands for its page; of a page found by its title alone, its beginning. */
async function describeFound(
  { page: { url, title, sections }, language }: FoundInLanguage,
  served: ServedEdition,
  { origin, ...options }: ToolOptions,
): Promise<JsonObject> {
  const [best] = sections
  const path = pathOfUrl(url, origin)
  const anchor = best?.anchor ?? ''
  const snippets = sections.map(({ snippet }) => snippet.text.replace(/\s+/g, ' ').trim()).join(' … ')
  return {
    id: anchor === '' ? path : `${path}#${anchor}`,
    title: visibleText(title),
    url: urlOf({ path, anchor }, origin),
    heading: visibleText(best?.heading ?? title),
    text: visibleText(snippets || (await beginningOf(path, served))).slice(0, MAX_SNIPPET_CHARS),
    language,
    ...(await statusIn(served, path, options)),
  }
}

/** Owner, review and obsolescence of a page, for agents. */
async function statusIn(
  { edition }: ServedEdition,
  path: string,
  { readStatuses, today }: Pick<ToolOptions, 'readStatuses' | 'today'>,
): Promise<JsonObject> {
  const { owner, ...status } = (await readStatuses(edition, [path], today)).get(path) ?? {}
  return { ...status, ...(owner !== undefined && { owner: visibleText(owner) }) }
}

async function beginningOf(path: string, served: ServedEdition): Promise<string> {
  const { text, sections } = readPageText((await served.markdown(path)) ?? '')
  const [title] = sections
  const start = title?.level === 1 && title.start === 0 ? text.indexOf('\n') + 1 : 0
  return text.slice(start).replace(/\s+/g, ' ').trim()
}

async function fetchPage(
  args: JsonObject,
  served: ServedEdition,
  { origin, ...options }: ToolOptions,
): Promise<ToolAnswer> {
  const page = findPage(served, readText(args.id), origin)
  const markdown = page === null ? null : await served.markdown(page.path)
  if (page === null || markdown === null) {
    options.noteSearch(readText(args.id).slice(0, MAX_QUERY_CHARS), 0)
    return NOT_FOUND
  }
  const read = readPageText(markdown)
  const section = readText(args.section)
  const maxTokens = clamp(args.max_tokens, MAX_FETCH_TOKENS, MIN_FETCH_TOKENS, MAX_FETCH_TOKENS)
  const part = takePart(read, section === '' ? page.anchor : section, maxTokens)
  const isWhole = part.text.length === read.text.trim().length
  const { updated, owner, version } = read.facts
  const metadata = {
    heading: visibleText(part.heading),
    ...(updated && { updated }),
    ...(owner && { owner: visibleText(owner) }),
    ...(version && { version: visibleText(version) }),
    ...(await statusIn(served, page.path, options)),
    tokens: countTokens(part.text),
    ...(part.next !== null && { next: { id: page.path, section: part.next } }),
    ...(part.next === null && !isWhole && { page: page.path }),
    ...(!isWhole && { sections: read.sections.slice(1, MAX_NAMED_SECTIONS).map(({ anchor }) => anchor) }),
  }
  return {
    result: {
      ...described(page, origin),
      text: enclose(visibleText(part.text), page, part.next, isWhole),
      metadata,
    },
    pages: [page.path],
  }
}

const described = ({ path, title, anchor }: NamedPage, origin: URL) => ({
  id: anchor === '' ? path : `${path}#${anchor}`,
  title: visibleText(title),
  url: urlOf({ path, anchor }, origin),
})

/** A random line ends the text, so that no page can end it. The line after it says how to read on. */
function enclose(text: string, { path }: NamedPage, next: string | null, isWhole: boolean): string {
  const end = `END-OF-PAGE-TEXT-${randomBytes(6).toString('hex')}`
  const id = JSON.stringify(path)
  const more =
    next !== null
      ? `\nThis page goes on: fetch with id ${id} and section "${next}".`
      : isWhole
        ? ''
        : `\nThis is a part of a page: fetch with id ${id} for the whole page.`
  return `${NOTE} It ends at the line ${end}.\n\n${text}\n${end}${more}`
}

function feedback(
  args: JsonObject,
  served: ServedEdition,
  { feedbackLog, account, origin }: ToolOptions,
): ToolAnswer {
  if (!feedbackLog.keeps) return failed('Feedback is disabled.')
  const page = findPage(served, readText(args.id), origin)
  if (page === null) return NOT_FOUND
  const comment = readText(args.text).slice(0, MAX_COMMENT_CHARS)
  if (comment === '') return failed('text is missing: a sentence for the writers.')
  const entry = {
    page: page.path,
    helpful: false,
    comment,
    release: served.releaseId,
    by: 'agent',
  } as const
  const waitSeconds = feedbackLog.write(account, entry)
  if (waitSeconds > 0) return failed(`Too much feedback of this account: try again in ${waitSeconds} s.`)
  return { result: { kept: true }, pages: [page.path] }
}

const readText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** Models send numbers as text, too, and numbers that make no sense. */
function clamp(value: unknown, fallback: number, least: number, most: number): number {
  const number = typeof value === 'string' ? Number.parseFloat(value) : value
  if (typeof number !== 'number' || Number.isNaN(number)) return fallback
  return Math.min(most, Math.max(least, Math.trunc(number)))
}

/** A page, or a folder with the number of pages in it. */
interface Listed {
  readonly id: string
  readonly title: string
  readonly url?: string
  readonly pages?: number
}

/** So many pages are named one by one; more of them by their folders. */
const MAX_NAMED = 60
const MAX_LISTED = 200

/** Lists the entries below a path; none below an unknown one. `more` is the number of omitted entries. */
function listBelow({ edition }: ServedEdition, path: string, origin: URL) {
  const names = path.replace(/^https?:\/\/[^/]*/i, '').split('/')
  const folder = ['', ...names.filter((name) => name !== ''), ''].join('/').normalize('NFC')
  const below: Listed[] = []
  for (const [id, { markdown, title }] of edition.files)
    if (markdown !== undefined && (id.startsWith(folder) || `${id}/` === folder))
      below.push({ id, title: visibleText(title ?? id), url: urlOf({ path: id, anchor: '' }, origin) })
  const entries = below.length <= MAX_NAMED ? below : byFolder(below, folder)
  const more = Math.max(0, entries.length - MAX_LISTED)
  return { path: folder, results: entries.slice(0, MAX_LISTED), more }
}

function byFolder(pages: readonly Listed[], folder: string): readonly Listed[] {
  const groups = Map.groupBy(pages, ({ id }) => {
    const [name = '', ...rest] = id.slice(folder.length).split('/')
    return rest.join('') === '' ? '' : `${folder}${name}/`
  })
  return [...groups].flatMap(([name, group]) =>
    name === '' || group.length === 1 ? group : [{ id: name, title: name, pages: group.length }],
  )
}
