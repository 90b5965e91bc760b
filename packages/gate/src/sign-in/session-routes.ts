import { ROUTES } from '@sekisho/contract/routes'
import type { OwnSessionsAnswer, SessionAnswer } from '@sekisho/contract/session-answer'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import type { Handler, RequestContext } from '../http/boundary.ts'
import { isFromHere } from '../http/fetch-metadata.ts'
import { jsonResponse, problem } from '../http/problem.ts'
import { openRoute, type RouteTable } from '../http/route-table.ts'
import type { Session } from '../sessions/session.ts'
import type { EndScope } from '../sessions/sessions.ts'
import { createOpenSession, type OpenSessionOptions } from './open-session.ts'

export interface SessionRoutesOptions extends OpenSessionOptions {
  readonly origin: URL
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

  const show: Handler = async (request) => {
    const session = await identify(request, { touch: false })
    if (session === null) return problem('signed_out')
    const { email, name } = session
    const answer: SessionAnswer = {
      email,
      name,
      expiresAtMs: sessions.expiresAtMs(session),
      isSignInConfigured: options.identity !== null,
    }
    return jsonResponse(answer)
  }

  /** Where the account is signed in: what somebody has to see who wonders whether a session is theirs. */
  const list: Handler = async (request) => {
    const session = await identify(request, { touch: false })
    if (session === null) return problem('signed_out')
    const own = await sessions.ofSameAccount(session)
    const answer: OwnSessionsAnswer = {
      sessions: own.map(({ id, startedAtMs, lastSeenAtMs }) => {
        return { startedAtMs, lastSeenAtMs, isThisOne: id === session.id }
      }),
    }
    return jsonResponse(answer)
  }

  /** Idempotent, and done even when the session could not be vouched for any more. */
  function signOut(scope: EndScope) {
    return async (request: GateRequest, context: RequestContext): Promise<GateResponse> => {
      const cookie = cookies.readKey(request)
      const ended = cookie.kind === 'present' ? await sessions.end(cookie.key, scope) : []
      for (const { email, sub, id } of ended) {
        audit.record('signed_out', { email, sub, session: id, request: context.requestId })
      }
      // "storage" is left alone: it holds the reader's colour mode and nothing of the content.
      const headers = new Headers({ 'Clear-Site-Data': '"cache"' })
      cookies.clear(headers)
      return new Response(null, { status: 204, headers })
    }
  }

  const fromHere = (handler: Handler): Handler => {
    return async (request, context) =>
      isFromHere(request, origin) ? handler(request, context) : problem('bad_origin')
  }
  return new Map([
    openRoute(ROUTES.session, {
      GET: show,
      HEAD: show,
      POST: fromHere(openSession),
      DELETE: fromHere(signOut('one')),
    }),
    openRoute(ROUTES.sessions, { GET: list, HEAD: list, DELETE: fromHere(signOut('account')) }),
  ])
}
