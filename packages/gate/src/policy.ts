import { releaseTiming } from '@sekisho/contract/answer-headers'
import { canonicalPath } from '@sekisho/contract/canonical-path'
import { DEGRADED, HEALTHY, LOGIN_PREFIX, openFileRoute, ROUTES } from '@sekisho/contract/routes'
import type { AuditTrail } from '@sekisho/state/audit'
import type { RateLimit } from '@sekisho/state/limits'
import type { DailyLog } from '@sekisho/state/lines'
import type { PageOpinion } from '@sekisho/state/opinions'
import type { Session, SessionKey, Sessions } from '@sekisho/state/sessions'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import { admits } from './access/policy.ts'
import type { PolicySource } from './access/policy-source.ts'
import { createBarRoute } from './doors/account/bar.ts'
import { createSessionRoutes } from './doors/account/session-routes.ts'
import { createFeedbackRoutes } from './doors/opinions/opinions-api.ts'
import { createReadings } from './doors/reading/readings.ts'
import type { LoginBundle } from './doors/sign-in/login-bundle.ts'
import { answerLoginAsset, type LoginPage } from './doors/sign-in/login-page.ts'
import { createBoundary, type Exchange, type Handler, type RequestContext } from './frame/boundary.ts'
import { isForServiceWorker, isFromOurPages, isNavigation } from './frame/fetch-metadata.ts'
import { jsonResponse, problem } from './frame/problem.ts'
import { createRequestIds } from './frame/request-ids.ts'
import { type BoundRoute, openRoute, type RouteTable } from './frame/route-table.ts'
import type { SessionCookies } from './frame/session-cookies.ts'
import type { IdentityService } from './identity/identity.ts'
import type { PartState } from './observability/health.ts'
import type { ContentPolicy } from './releases/content-policy.ts'
import type { Served } from './releases/file-response.ts'
import type { Releases } from './releases/open-releases.ts'

/** Everything the gate works with; nothing is looked up elsewhere. */
export interface GateDependencies {
  readonly origin: URL
  /** Whether this is the gate of a preview's host. */
  readonly isPreview: boolean
  readonly placeOf: (address: string) => string | null
  /** The 401 answer to a page navigation; the same bytes for everybody whose path is below the same locale. */
  readonly loginPage: LoginPage
  readonly loginBundle: LoginBundle
  /** What signing in takes: exact paths of the identity service, and those that lead to a preview. */
  readonly identityRoutes: RouteTable
  readonly identity: IdentityService | null
  readonly policy: PolicySource
  readonly sessions: Sessions
  readonly cookies: SessionCookies
  readonly releases: Pick<Releases, 'current' | 'respond' | 'status'>
  readonly contentPolicy: ContentPolicy
  /** Routes of the search; none where a gate has no search. */
  readonly searchRoutes: RouteTable
  /** Routes of publishers, who bring credentials of their own. */
  readonly publishRoutes: RouteTable
  /** Where readers' opinions of pages are kept. */
  readonly feedbackLog: DailyLog<PageOpinion>
  readonly audit: AuditTrail
  /** Sign-ins of one account, on whichever gate. */
  readonly accountLimit: RateLimit
  readonly health: () => PartState | Promise<PartState>
  readonly observe: (exchange: Exchange) => void
  readonly now: () => number
}

export type Gate = (
  request: GateRequest,
  peer: { readonly clientAddress: string },
) => GateResponse | Promise<GateResponse>

/** The gate: one function from a request to its answer. The order of the lines is the policy. */
export function createGate(deps: GateDependencies): Gate {
  const { releases } = deps
  const recordReading = createReadings(deps.audit)
  const identify = createIdentify(deps)
  const routes = createRouteTable(deps, identify)

  function gate(request: GateRequest, context: RequestContext): GateResponse | Promise<GateResponse> {
    const path = canonicalPath(request.url) // null unless in the one accepted form
    const route = path === null ? undefined : routes.get(path) // exact match only
    if (route !== undefined && route.access !== 'reader') return route.answer(request, context)

    const found = identify(request, { touch: true })
    return found instanceof Promise
      ? found.then((session) => respond(request, context, path, route, session))
      : respond(request, context, path, route, found)
  }

  function respond(
    request: GateRequest,
    context: RequestContext,
    path: string | null,
    route: Extract<BoundRoute, { readonly access: 'reader' }> | undefined,
    session: Session | null,
  ): GateResponse | Promise<GateResponse> {
    if (session === null) return signIn(request, path, deps)
    context.isReader = true
    if (path === null) return problem('bad_request')
    if (!isFromOurPages(request)) return problem('cross_site')
    if (isForServiceWorker(request)) return problem('not_found')
    if (route !== undefined) return route.answer(request, context, session)

    const finish = (served: Served): GateResponse => {
      const { response, csp, release } = served
      const policy = deps.contentPolicy(csp)
      if (policy !== null) response.headers.set('content-security-policy', policy)
      if (csp.kind === 'page') response.headers.set('x-frame-options', 'SAMEORIGIN')
      if (csp.kind === 'page' && release !== undefined)
        response.headers.set('server-timing', releaseTiming(release))
      recordReading({ request, session, path, requestId: context.requestId }, served)
      return response
    }
    const served = releases.respond(request, path)
    return served instanceof Promise ? served.then(finish) : finish(served)
  }

  return createBoundary(gate, {
    https: deps.origin.protocol === 'https:',
    newRequestId: createRequestIds(),
    elapsed: () => performance.now(),
    observe: deps.observe,
  })
}

/** Finds the session behind a request; whoever the policy no longer admits has none from now on. */
function createIdentify({ cookies, sessions, policy, audit }: GateDependencies) {
  function admit(key: SessionKey, session: Session | null): Session | null | Promise<null> {
    return session === null || admits(policy(), session.email) ? session : refuse(key)
  }
  async function refuse(key: SessionKey): Promise<null> {
    for (const { email, sub, id } of await sessions.end(key, 'account', 'policy')) {
      audit.record('access_refused', { reason: 'policy', email, sub, session: id })
    }
    return null
  }
  return (request: GateRequest, options: { readonly touch: boolean }) => {
    const cookie = cookies.readKey(request)
    if (cookie.kind !== 'present') return null // absent or malformed: either way nobody
    const { key } = cookie
    const found = sessions.find(key, options)
    return found instanceof Promise ? found.then((session) => admit(key, session)) : admit(key, found)
  }
}

/** One table for everything that is not a file of the release. */
function createRouteTable(deps: GateDependencies, identify: ReturnType<typeof createIdentify>): RouteTable {
  const health: Handler = async () => {
    const status = await deps.health()
    return status === 'failed' ? problem('unavailable') : jsonResponse(status === 'ok' ? HEALTHY : DEGRADED)
  }
  const assets = [...deps.loginBundle.assets].map(([path, asset]) => {
    const answer: Handler = (request) => answerLoginAsset(asset, request)
    return openRoute(openFileRoute(LOGIN_PREFIX + path), { GET: answer, HEAD: answer })
  })
  return new Map([
    openRoute(ROUTES.health, { GET: health, HEAD: health }),
    ...createSessionRoutes({
      ...deps,
      identify,
      currentRelease: async () => (await deps.releases.current())?.releaseId ?? null,
      currentSite: async () => (await deps.releases.current())?.site ?? null,
    }),
    createBarRoute(),
    ...assets,
    ...deps.identityRoutes,
    ...deps.searchRoutes,
    ...deps.publishRoutes,
    ...createFeedbackRoutes({ ...deps, log: deps.feedbackLog }),
  ])
}

/** One of two answers, whatever was requested and whether or not it exists; one of them in the language of the path's locale. */
function signIn(
  request: GateRequest,
  path: string | null,
  { loginPage, cookies }: GateDependencies,
): GateResponse {
  if (!isNavigation(request)) return problem('signed_out')
  const response = loginPage(path)
  const { kind } = cookies.readKey(request)
  if (kind === 'malformed') cookies.clear(response.headers)
  // A token that was a session's once may ask why it is over; the page does, and a token of nobody is cleared then.
  if (kind === 'present') cookies.clearReader(response.headers)
  return response
}
