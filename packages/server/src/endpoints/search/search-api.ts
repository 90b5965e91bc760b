import { releaseTiming } from '@sekisho/contract/response-headers'
import { ROUTES } from '@sekisho/contract/routes'
import { readSearchResponse, type SearchResponse } from '@sekisho/contract/search-response'
import type { Edition } from '@sekisho/release'
import { BytesResponse, type GateRequest, type GateResponse } from '@sekisho/wire'
import { fusePages } from '../../answers/passages.ts'
import { isSentence, type Rewriter } from '../../answers/rewrite.ts'
import type { AuditTrail } from '../../audit/index.ts'
import type { RequestContext } from '../../kernel/boundary.ts'
import { isFromReader } from '../../kernel/client/fetch-metadata.ts'
import { readJsonBody } from '../../kernel/json-body.ts'
import {
  obsoleteLast,
  type PageStatus,
  type ReadStatuses,
  WITHOUT_REVIEWS,
} from '../../kernel/page-status.ts'
import { problem, tooManyRequests } from '../../kernel/pages/problem.ts'
import type { Reader } from '../../kernel/reader.ts'
import { recordRead } from '../../kernel/reader-trail.ts'
import { type ReaderHandler, type RouteTable, readerRoute } from '../../kernel/route-table.ts'
import { createToday } from '../../kernel/today.ts'
import type { Releases } from '../../releases/open-releases.ts'
import { accountKey, createRateLimit } from '../../state/limits/index.ts'
import { type QueryLog, SETTLED_MS } from '../../state/search-log/index.ts'
import type { FairSearches } from './fair-searches.ts'
import { createMissedSearches } from './missed-searches.ts'
import { type AskedQuery, readOpened, readQuery } from './read-query.ts'
import { searchPage } from './search-page.ts'
import type { SearchRunner } from './search-runner.ts'
import type { SearchFound } from './search-worker.ts'

interface SearchOptions {
  readonly origin: URL
  readonly searches: FairSearches
  /** Log of searches; null where trials say nothing about the portal. */
  readonly log: Pick<QueryLog, 'searched' | 'opened'> | null
  readonly audit: Pick<AuditTrail, 'recordReading'>
  readonly now: () => number
  /** IANA name. */
  readonly timeZone: string
  /** Status of found pages; without the confirmations of owners by default. */
  readonly readStatuses?: ReadStatuses
  /** Questions are answered here, which responses then say; false by default. */
  readonly hasAnswers?: boolean
  /** Short queries for sentences, by the operator's model; none by default. */
  readonly rewriter?: Rewriter | null
}

/** A fast typist searches at every key, and starts again at once. */
const TYPING = { burst: 60, perSecond: 15 }
/** Each search is a line of the trail with its words and pages: what a person types in a day, and no more. */
const SUSTAINED = { burst: 1_000, perSecond: 1 }
/** An account may cost the operator as many requests as it may ask questions. */
const REWRITES = { burst: 30, perSecond: 30 / 3_600 }
const REWRITTEN_PAGES = 3

/** Binds the search of what a reader is served: `GET /__gate/search?q=…&limit=…&base=…` with filters, `POST /__gate/search/opened`, and a page. */
export function createSearchRoutes(options: SearchOptions): RouteTable {
  const { searches, log, audit, now, hasAnswers = false, rewriter = null } = options
  const { readStatuses = WITHOUT_REVIEWS } = options
  const missed = createMissedSearches(now, SETTLED_MS)
  const limits = [TYPING, SUSTAINED].map((limit) => createRateLimit({ ...limit, now }))
  const rewriteLimit = createRateLimit({ ...REWRITES, now })
  const today = createToday(options)

  /** Searches and records what is read; the code of a problem when there is nothing to answer. */
  async function find(asked: AskedQuery, reader: Reader, context: RequestContext, path: string) {
    const { base, release, rewrite: _rewrite, ...query } = asked
    const { served, session } = reader
    const index = served?.search(base) ?? null
    if (served === null || index === null) return 'search_unavailable'
    const isOfThis = release === null || release === served.servedAs
    const earlier = isOfThis ? null : await served.earlierSearch(session, release)
    const old = earlier?.(base) ?? null
    const inOld =
      old === null
        ? null
        : await searches.run(session, { ...old, query }).then(
            (found) => onlyPagesOf(served.edition, found),
            () => null, // it may be pruned at any moment
          )
    const found = inOld ?? (await searches.run(session, { ...index, query }))
    const status = await readStatuses(served.edition, found.pages, today())
    const { json, hits, pages } = withStatus(found, status)
    await recordRead(audit, {
      event: 'search_read',
      reader,
      path,
      context,
      release: inOld === null ? served.servedAs : (release ?? served.servedAs),
      more: { q: query.q, pages },
    })
    return {
      json,
      q: query.q,
      hits,
      edition: served.name,
      headers: { 'Server-Timing': releaseTiming(served.servedAs) },
    }
  }

  /** Searches with the reader's own words, which the log counts. */
  async function findOwn(asked: AskedQuery, reader: Reader, context: RequestContext, path: string) {
    const found = await find(asked, reader, context, path)
    if (typeof found === 'string') return found
    const entry = { q: asked.q, hits: found.hits, edition: found.edition }
    log?.searched(reader.session.id, reader.account, entry)
    missed.searched(reader.session.id, asked.q)
    return found
  }

  const search: ReaderHandler = async (request, reader, context) => {
    const asked = readQuery(new URL(request.url).searchParams)
    if (asked === null) return problem('bad_request')
    if (asked.rewrite && !isFromReader(request)) return problem('bad_origin')
    if (asked.rewrite)
      return jsonResponse(JSON.stringify(await findRewritten(asked, reader, context, ROUTES.search.path)))
    const found = await findOwn(asked, reader, context, ROUTES.search.path)
    if (typeof found === 'string') return problem(found)
    if (!hasAnswers && rewriter === null) return jsonResponse(found.json, found.headers)
    const isAsked = isSentence(found.q)
    const offered = {
      ...(hasAnswers ? { ask: { path: ROUTES.ask.path, isSentence: isAsked } } : {}),
      ...(rewriter !== null && isAsked ? { canRewrite: true } : {}),
    }
    return jsonResponse(JSON.stringify({ ...JSON.parse(found.json), ...offered }), found.headers)
  }

  /** Pages for the model's short queries, each searched for in what the reader is served; empty where there are none in time. */
  async function findRewritten(
    asked: AskedQuery,
    reader: Reader,
    context: RequestContext,
    path: string,
  ): Promise<SearchResponse> {
    const isLimited = rewriter === null || rewriteLimit.take(accountKey(reader.account)) > 0
    const queries = isLimited ? [] : await rewriter.rewrite(asked.q)
    const found = await Promise.all(
      queries.map(async (q) => {
        const one = await find({ ...asked, q }, reader, context, path)
        const response = typeof one === 'string' ? null : readSearchResponse(JSON.parse(one.json))
        const results = response?.results.filter(({ status }) => status?.obsolete !== true) ?? []
        return { q, results }
      }),
    )
    const results = fusePages(found).slice(0, REWRITTEN_PAGES)
    const rewrites = found.filter((one) => one.results.length > 0).map(({ q }) => q)
    return { ...NOTHING_FOUND, results, rewrites }
  }

  const showPage: ReaderHandler = async (request, reader, context) => {
    const site = reader.served?.site ?? null
    const { search, searchParams } = new URL(request.url)
    if (search === '') return searchPage({ site, q: '', found: null })
    const asked = readQuery(searchParams)
    if (asked === null) return problem('bad_request')
    const { path } = ROUTES.searchPage
    const isOffered = rewriter !== null && isSentence(asked.q)
    const isWanted = isOffered && asked.rewrite && isFromReader(request)
    const [found, rewritten] = await Promise.all([
      findOwn(asked, reader, context, path),
      isWanted ? findRewritten(asked, reader, context, path) : isOffered,
    ])
    if (found === 'search_unavailable') return searchPage({ site, q: '', found: 'unavailable' })
    if (typeof found === 'string') return problem(found)
    const { json, q, headers } = found
    const own = readSearchResponse(JSON.parse(json)) ?? 'unavailable'
    return searchPage({ site, q, found: own, rewritten, headers })
  }

  async function noteOpened(request: GateRequest, { served, session }: Reader): Promise<GateResponse> {
    const body = await readJsonBody(request, ROUTES.searchOpened.maxBodyBytes)
    if (body.kind !== 'read') return problem(body.kind === 'too_large' ? 'too_large' : 'bad_request')
    const opened = readOpened(body.value)
    if (opened === null || served?.edition.files.has(opened.page) !== true) return problem('bad_request')
    const after = missed.take(session.id)
    log?.opened(session.id, { ...opened, edition: served.name, ...(after !== undefined && { after }) })
    return new Response(null, { status: 204 })
  }

  const limited =
    (handler: ReaderHandler): ReaderHandler =>
    (request, reader, context) => {
      const account = accountKey(reader.account)
      const waitSeconds = Math.max(...limits.map((limit) => limit.take(account)))
      return waitSeconds > 0 ? tooManyRequests(waitSeconds) : handler(request, reader, context)
    }

  return new Map([
    readerRoute(ROUTES.search, { GET: limited(search), HEAD: limited(search) }),
    readerRoute(ROUTES.searchPage, { GET: limited(showPage), HEAD: limited(showPage) }),
    readerRoute(ROUTES.searchOpened, { POST: limited(noteOpened) }),
  ])
}

const NOTHING_FOUND: SearchResponse = {
  results: [],
  didYouMean: null,
  relaxed: false,
  choices: { folders: [], tags: [], versions: [], days: null },
}

function jsonResponse(json: string, more: Readonly<Record<string, string>> = {}): GateResponse {
  return new BytesResponse(json, { headers: { 'Content-Type': 'application/json', ...more } })
}

/** Reduces an earlier release's results to pages that still exist: a withdrawn page is not named, nor are its own words and folders. */
function onlyPagesOf({ files }: Edition, { json }: SearchFound): SearchFound {
  const answer = readSearchResponse(JSON.parse(json))
  const results = (answer?.results ?? []).filter(({ id }) => files.has(id))
  const kept: SearchResponse = { ...NOTHING_FOUND, results, relaxed: answer?.relaxed ?? false }
  return { json: JSON.stringify(kept), hits: results.length, pages: results.map(({ id }) => id) }
}

/** Results with the status of their pages, those of obsolete ones last. What says nothing of itself is passed on as it came. */
function withStatus(found: SearchFound, status: ReadonlyMap<string, PageStatus | null>): SearchFound {
  if (![...status.values()].some((one) => one !== null)) return found
  const answer = readSearchResponse(JSON.parse(found.json))
  if (answer === null) return found
  const results = obsoleteLast(answer.results, ({ id }) => status.get(id)?.obsolete === true).map(
    (result) => {
      const own = status.get(result.id) ?? null
      return own === null ? result : { ...result, status: own }
    },
  )
  return { ...found, json: JSON.stringify({ ...answer, results }), pages: results.map(({ id }) => id) }
}

/** Opens an index ahead of the first search; never throws. */
export async function warmSearch(releases: Pick<Releases, 'editions'>, runner: SearchRunner): Promise<void> {
  const [first] = await releases.editions()
  const index = first?.search('/') ?? null
  if (index !== null) await runner.run({ ...index, query: { q: '' } }).catch(() => undefined)
}
