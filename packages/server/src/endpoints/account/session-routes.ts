import type { OwnSessionsResponse } from '@sekisho/contract/own-sessions'
import { ROUTES } from '@sekisho/contract/routes'
import type { SessionResponse } from '@sekisho/contract/session-response'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import type { Handler, RequestContext } from '../../kernel/boundary.ts'
import { isFromHere } from '../../kernel/client/fetch-metadata.ts'
import type { SessionCookies } from '../../kernel/client/session-cookies.ts'
import { jsonResponse, problem } from '../../kernel/pages/problem.ts'
import { openRoute, type RouteTable, type VisitorHandler } from '../../kernel/route-table.ts'
import { addressKey, createRateLimit } from '../../state/limits/index.ts'
import type { Sessions } from '../../state/sessions/index.ts'
import type { OwnSessions } from './own-sessions.ts'

export interface SessionRoutesOptions {
  readonly origin: URL
  readonly sessions: Pick<Sessions, 'findEndReason' | 'expiresAtMs'>
  readonly cookies: SessionCookies
  /** Opens a session from a sign-in's proof. */
  readonly openSession: Handler
  readonly isSignInConfigured: boolean
  readonly now: () => number
}

/** The routes through which a session begins, is looked at and ends; open, because they judge for themselves. */
export function createSessionRoutes(options: SessionRoutesOptions, own: OwnSessions): RouteTable {
  const { origin, sessions, cookies } = options
  const asking = createRateLimit({ burst: 30, perSecond: 1, now: options.now })

  /**
   * Reason for a session's end, told to the holder of its token only; other requests get the strangers' response. Limited to one lookup per
   * address and second, since it reads the store.
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

  const show: VisitorHandler = async (request, context, findReader) => {
    const reader = await findReader()
    if (reader === null) return signedOut(request, context)
    const { email, name } = reader.account
    const answer: SessionResponse = {
      email,
      name,
      expiresAtMs: sessions.expiresAtMs(reader.session),
      isSignInConfigured: options.isSignInConfigured,
      release: reader.served?.servedAs ?? null,
    }
    return jsonResponse(answer)
  }
  const list: VisitorHandler = async (_request, _context, findReader) => {
    const reader = await findReader()
    if (reader === null) return problem('signed_out')
    const answer: OwnSessionsResponse = { sessions: await own.list(reader.session) }
    return jsonResponse(answer)
  }

  /** Ends the one session of the account that `?id=` names; without a query all of them, with any other none. */
  const endSessions: VisitorHandler = async (request, context, findReader) => {
    const { search, searchParams } = new URL(request.url)
    if (search === '') return own.signOut(request, context, 'account')
    const id = searchParams.get('id')
    if (id === null || search !== `?id=${id}`) return problem('bad_request')
    const reader = await findReader()
    return reader === null ? problem('signed_out') : own.endOne(reader, id, context)
  }

  const fromHere = (handler: VisitorHandler): VisitorHandler => {
    return async (request, context, findReader) =>
      isFromHere(request, origin) ? handler(request, context, findReader) : problem('bad_origin')
  }
  return new Map([
    openRoute(ROUTES.session, {
      GET: show,
      HEAD: show,
      POST: options.openSession,
      DELETE: fromHere((request, context) => own.signOut(request, context, 'one')),
    }),
    openRoute(ROUTES.sessions, { GET: list, HEAD: list, DELETE: fromHere(endSessions) }),
  ])
}
