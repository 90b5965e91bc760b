import { releaseTiming } from '@sekisho/contract/answer-headers'
import { ROUTES } from '@sekisho/contract/routes'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import type { RequestContext } from '../http/boundary.ts'
import { isFromHere } from '../http/fetch-metadata.ts'
import { readJsonBody } from '../http/json-body.ts'
import { problem } from '../http/problem.ts'
import { createRateLimit } from '../http/rate-limit.ts'
import { type ReaderHandler, type RouteTable, readerRoute } from '../http/route-table.ts'
import type { AuditTrail } from '../observability/audit-trail.ts'
import type { Releases } from '../serving/open-releases.ts'
import type { Session } from '../sessions/session.ts'
import { createMissedSearches } from './missed-searches.ts'
import { type QueryLog, SETTLED_MS } from './query-log.ts'
import { readOpened, readQuery } from './read-query.ts'
import type { SearchRunner } from './search-runner.ts'

/** Full-text search over the current release, for signed-in readers. */
export interface SearchApi {
  /** Answers `GET /__gate/search?q=…&limit=…&base=…`, with filters, and `POST /__gate/search/opened`. */
  readonly routes: RouteTable
  /** Opens the index ahead of the first search; never throws. */
  warm(): Promise<void>
}

export interface SearchApiOptions {
  readonly origin: URL
  readonly releases: Pick<Releases, 'current'>
  readonly runner: SearchRunner
  readonly log: QueryLog
  readonly audit: Pick<AuditTrail, 'recordReading'>
  readonly now: () => number
}

/** A fast typist searches at every key, and starts again at once. */
const TYPING = { burst: 60, perSecond: 15 }

/** Searches the release being served. */
export function createSearchApi({ origin, releases, runner, log, audit, now }: SearchApiOptions): SearchApi {
  const missed = createMissedSearches(now, SETTLED_MS)
  const limit = createRateLimit({ ...TYPING, now })

  async function search(
    request: GateRequest,
    { requestId }: RequestContext,
    session: Session,
  ): Promise<GateResponse> {
    const asked = readQuery(new URL(request.url).searchParams)
    if (asked === null) return problem('bad_request')
    const { base, ...query } = asked
    const served = await releases.current()
    const index = served?.search(base) ?? null
    if (served === null || index === null) return problem('search_unavailable')
    const { json, hits, pages } = await runner.run({ ...index, query })
    audit.recordReading({
      ...{ event: 'search_read', reader: session, path: ROUTES.search.path, release: served.releaseId },
      ...{ request: requestId, more: { q: query.q, pages } },
    })
    log.searched(session.id, { q: query.q, hits })
    missed.searched(session.id, query.q, hits)
    const body = Buffer.from(json)
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': String(body.byteLength),
      'Server-Timing': releaseTiming(served.releaseId),
    }
    return new Response(body, { headers })
  }

  async function noteOpened(
    request: GateRequest,
    _context: RequestContext,
    session: Session,
  ): Promise<GateResponse> {
    if (!isFromHere(request, origin)) return problem('bad_origin')
    const body = await readJsonBody(request, ROUTES.searchOpened.maxBodyBytes)
    if (body.kind !== 'read') return problem(body.kind === 'too_large' ? 'too_large' : 'bad_request')
    const opened = readOpened(body.value)
    const served = await releases.current()
    if (opened === null || served?.edition.files.has(opened.page) !== true) return problem('bad_request')
    const after = missed.take(session.id)
    log.opened(session.id, after === undefined ? opened : { ...opened, after })
    return new Response(null, { status: 204 })
  }

  const limited =
    (handler: ReaderHandler): ReaderHandler =>
    (request, context, session) => {
      const waitSeconds = limit.take(session.id)
      return waitSeconds > 0
        ? problem('too_many_requests', { headers: { 'Retry-After': String(waitSeconds) } })
        : handler(request, context, session)
    }

  return {
    routes: new Map([
      readerRoute(ROUTES.search, { GET: limited(search), HEAD: limited(search) }),
      readerRoute(ROUTES.searchOpened, { POST: limited(noteOpened) }),
    ]),
    async warm() {
      const index = (await releases.current())?.search('/') ?? null
      if (index !== null) await runner.run({ ...index, query: { q: '' } }).catch(() => undefined)
    },
  }
}
