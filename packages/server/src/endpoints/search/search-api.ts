import { releaseTiming } from '@sekisho/contract/response-headers'
import { ROUTES } from '@sekisho/contract/routes'
import { readSearchResponse, type SearchResponse } from '@sekisho/contract/search-response'
import type { Edition } from '@sekisho/release'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import { isSentence } from '../../answers/rewrite.ts'
import type { AuditTrail } from '../../audit/index.ts'
import type { RequestContext } from '../../kernel/boundary.ts'
import { isFromHere } from '../../kernel/client/fetch-metadata.ts'
import { readJsonBody } from '../../kernel/json-body.ts'
import { obsoleteLast, pageStatusOf } from '../../kernel/page-status.ts'
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
import { readOpened, readQuery } from './read-query.ts'
import { searchPage } from './search-page.ts'
import type { SearchRunner } from './search-runner.ts'
import type { SearchFound } from './search-worker.ts'

export interface SearchOptions {
  readonly origin: URL
  readonly searches: FairSearches
  /** Log of searches; null where trials say nothing about the portal. */
  readonly log: Pick<QueryLog, 'searched' | 'opened'> | null
  readonly audit: Pick<AuditTrail, 'recordReading'>
  readonly now: () => number
  /** IANA name. */
  readonly timeZone: string
  /** Questions are answered here, which responses then say; false by default. */
  readonly hasAnswers?: boolean
}

/** A fast typist searches at every key, and starts again at once. */
const TYPING = { burst: 60, perSecond: 15 }

/** Binds the search of what a reader is served: `GET /__gate/search?q=…&limit=…&base=…` with filters, `POST /__gate/search/opened`, and a page. */
export function createSearchRoutes(options: SearchOptions): RouteTable {
  const { origin, searches, log, audit, now, hasAnswers = false } = options
  const missed = createMissedSearches(now, SETTLED_MS)
  const limit = createRateLimit({ ...TYPING, now })
  const today = createToday(options)

  /** Searches as the request's query says, and notes that; the code of a problem when there is nothing to answer. */
  async function find(request: GateRequest, reader: Reader, context: RequestContext, path: string) {
    const asked = readQuery(new URL(request.url).searchParams)
    if (asked === null) return 'bad_request'
    const { base, release, ...query } = asked
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
    const { json, hits, pages } = withStatus(
      served.edition,
      inOld ?? (await searches.run(session, { ...index, query })),
      today(),
    )
    await recordRead(audit, {
      event: 'search_read',
      reader,
      path,
      context,
      release: inOld === null ? served.servedAs : (release ?? served.servedAs),
      more: { q: query.q, pages },
    })
    log?.searched(session.id, { q: query.q, hits })
    missed.searched(session.id, query.q)
    return { json, q: query.q, headers: { 'Server-Timing': releaseTiming(served.servedAs) } }
  }

  const search: ReaderHandler = async (request, reader, context) => {
    const found = await find(request, reader, context, ROUTES.search.path)
    if (typeof found === 'string') return problem(found)
    const ask = { path: ROUTES.ask.path, isSentence: isSentence(found.q) }
    const body = Buffer.from(hasAnswers ? JSON.stringify({ ...JSON.parse(found.json), ask }) : found.json)
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': String(body.byteLength),
      ...found.headers,
    }
    return new Response(body, { headers })
  }

  const showPage: ReaderHandler = async (request, reader, context) => {
    const site = reader.served?.site ?? null
    if (new URL(request.url).search === '') return searchPage({ site, q: '', found: null })
    const found = await find(request, reader, context, ROUTES.searchPage.path)
    if (found === 'search_unavailable') return searchPage({ site, q: '', found: 'unavailable' })
    if (typeof found === 'string') return problem(found)
    const { json, q, headers } = found
    return searchPage({ site, q, found: readSearchResponse(JSON.parse(json)) ?? 'unavailable', headers })
  }

  async function noteOpened(request: GateRequest, { served, session }: Reader): Promise<GateResponse> {
    if (!isFromHere(request, origin)) return problem('bad_origin')
    const body = await readJsonBody(request, ROUTES.searchOpened.maxBodyBytes)
    if (body.kind !== 'read') return problem(body.kind === 'too_large' ? 'too_large' : 'bad_request')
    const opened = readOpened(body.value)
    if (opened === null || served?.edition.files.has(opened.page) !== true) return problem('bad_request')
    const after = missed.take(session.id)
    log?.opened(session.id, after === undefined ? opened : { ...opened, after })
    return new Response(null, { status: 204 })
  }

  const limited =
    (handler: ReaderHandler): ReaderHandler =>
    (request, reader, context) => {
      const waitSeconds = limit.take(accountKey(reader.account))
      return waitSeconds > 0 ? tooManyRequests(waitSeconds) : handler(request, reader, context)
    }

  return new Map([
    readerRoute(ROUTES.search, { GET: limited(search), HEAD: limited(search) }),
    readerRoute(ROUTES.searchPage, { GET: limited(showPage), HEAD: limited(showPage) }),
    readerRoute(ROUTES.searchOpened, { POST: limited(noteOpened) }),
  ])
}

/** Reduces an earlier release's results to pages that still exist: a withdrawn page is not named, nor are its own words and folders. */
function onlyPagesOf({ files }: Edition, { json }: SearchFound): SearchFound {
  const answer = readSearchResponse(JSON.parse(json))
  const results = (answer?.results ?? []).filter(({ id }) => files.has(id))
  const choices: SearchResponse['choices'] = { folders: [], tags: [], versions: [], days: null }
  const kept: SearchResponse = { results, didYouMean: null, relaxed: answer?.relaxed ?? false, choices }
  return { json: JSON.stringify(kept), hits: results.length, pages: results.map(({ id }) => id) }
}

/** Results with the status of their pages, those of obsolete ones last. What says nothing of itself is passed on as it came. */
function withStatus({ files }: Edition, found: SearchFound, today: string): SearchFound {
  const status = new Map(found.pages.map((path) => [path, pageStatusOf(files.get(path), today)]))
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
