import type { OwnSession, OwnSessionsAnswer } from '@sekisho/contract/own-sessions'
import { ROUTES } from '@sekisho/contract/routes'
import type { SessionAnswer } from '@sekisho/contract/session-answer'
import { addressKey, createRateLimit } from '@sekisho/state/limits'
import type { EndScope, Session } from '@sekisho/state/sessions'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import type { Handler, RequestContext } from '../../frame/boundary.ts'
import { isFromHere } from '../../frame/fetch-metadata.ts'
import { jsonResponse, problem } from '../../frame/problem.ts'
import { openRoute, type RouteTable } from '../../frame/route-table.ts'
import { createOpenSession, type OpenSessionOptions } from '../sign-in/open-session.ts'
import { type AccountPageOptions, createAccountRoute } from './account-page.ts'

export interface SessionRoutesOptions extends OpenSessionOptions {
  readonly origin: URL
  /** On a preview's host nobody signs in: sessions are handed over to it. */
  readonly isPreview: boolean
  /** The operator's name for the network of an address; null where there are no names. */
  readonly placeOf: (address: string) => string | null
  /** The release that a page of this reader is served from now; null when there is none. */
  readonly currentRelease: () => Promise<string | null>
  readonly currentSite: AccountPageOptions['currentSite']
  /** Who is asking, without counting as use: an open tab that only polls must still go idle. */
  readonly identify: (
    request: GateRequest,
    options: { readonly touch: boolean },
  ) => Session | null | Promise<Session | null>
}

/** The routes through which a session begins, is looked at and ends; open, because they judge for themselves. */
export function createSessionRoutes(options: SessionRoutesOptions): RouteTable {
  const { origin, identify, sessions, cookies, audit } = options
  const openSession = createOpenSession(options)
  const asking = createRateLimit({ burst: 30, perSecond: 1, now: options.now })

  /**
   * Why the session of this cookie ended, for nobody but its holder: whoever has no token that was a session's is told what
   * strangers are told. Anybody can ask the store, so one address asks it once a second.
   */
  async function signedOut(request: GateRequest, { clientAddress }: RequestContext): Promise<GateResponse> {
    const cookie = cookies.readKey(request)
    if (cookie.kind === 'absent') return problem('signed_out')
    const mayAsk = cookie.kind === 'present' && asking.take(addressKey(clientAddress)) === 0
    const reason = mayAsk ? await sessions.findEndReason(cookie.key) : null
    const response = problem('signed_out', { reason })
    if (reason === null && (mayAsk || cookie.kind === 'malformed')) cookies.clear(response.headers)
    return response
  }

  const show: Handler = async (request, context) => {
    const session = await identify(request, { touch: false })
    if (session === null) return signedOut(request, context)
    const { email, name } = session
    const answer: SessionAnswer = {
      email,
      name,
      expiresAtMs: sessions.expiresAtMs(session),
      isSignInConfigured: options.isPreview || options.identity !== null,
      release: await options.currentRelease(),
    }
    return jsonResponse(answer)
  }

  /** Where the account is signed in: what somebody has to see who wonders whether a session is theirs. */
  async function listOwn(session: Session): Promise<readonly OwnSession[]> {
    const rows = await sessions.ofSameAccount(session)
    return rows.map(({ id, device, address, startedAtMs, lastSeenAtMs }) => {
      const place = options.placeOf(address)
      return { id, device, place, startedAtMs, lastSeenAtMs, isThisOne: id === session.id }
    })
  }
  const list: Handler = async (request) => {
    const session = await identify(request, { touch: false })
    if (session === null) return problem('signed_out')
    const answer: OwnSessionsAnswer = { sessions: await listOwn(session) }
    return jsonResponse(answer)
  }

  /** Idempotent, and done even when the session could not be vouched for any more. */
  function signOut(scope: EndScope) {
    return async (request: GateRequest, context: RequestContext): Promise<GateResponse> => {
      const cookie = cookies.readKey(request)
      const ended = cookie.kind === 'present' ? await sessions.signOut(cookie.key, scope) : []
      for (const { email, sub, id } of ended) {
        audit.record('signed_out', { email, sub, session: id, request: context.requestId })
      }
      // "storage" is left alone: it holds the reader's colour mode and nothing of the content.
      const headers = new Headers({ 'Clear-Site-Data': '"cache"' })
      cookies.clear(headers)
      return new Response(null, { status: 204, headers })
    }
  }

  /** Ends the one session of the account that `?id=` names; without a query all of them, with any other none. */
  const signOutHere = signOut('one')
  const signOutAll = signOut('account')
  const endSessions: Handler = async (request, context) => {
    const { search, searchParams } = new URL(request.url)
    if (search === '') return signOutAll(request, context)
    const id = searchParams.get('id')
    if (id === null || search !== `?id=${id}`) return problem('bad_request')
    const session = await identify(request, { touch: false })
    return session === null ? problem('signed_out') : endOne(session, id, context)
  }
  async function endOne(session: Session, id: string, context: RequestContext): Promise<GateResponse> {
    const named = (await sessions.ofSameAccount(session)).find((one) => one.id === id)
    if (named === undefined) return problem('not_found')
    for (const { email, sub } of await sessions.end(named.key, 'one', 'elsewhere')) {
      audit.record('signed_out', { email, sub, session: id, by: session.id, request: context.requestId })
    }
    return new Response(null, { status: 204 })
  }

  const fromHere = (handler: Handler): Handler => {
    return async (request, context) =>
      isFromHere(request, origin) ? handler(request, context) : problem('bad_origin')
  }
  return new Map([
    openRoute(ROUTES.session, {
      GET: show,
      HEAD: show,
      POST: options.isPreview ? () => problem('not_configured') : fromHere(openSession),
      DELETE: fromHere(signOutHere),
    }),
    openRoute(ROUTES.sessions, { GET: list, HEAD: list, DELETE: fromHere(endSessions) }),
    createAccountRoute({ ...options, listOwn, signOutHere, signOutAll, endOne }),
  ])
}
