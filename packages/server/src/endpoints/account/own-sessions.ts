import type { OwnSession } from '@sekisho/contract/own-sessions'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import type { AuditTrail } from '../../audit/index.ts'
import type { RequestContext } from '../../kernel/boundary.ts'
import type { SessionCookies } from '../../kernel/client/session-cookies.ts'
import { problem } from '../../kernel/pages/problem.ts'
import type { Reader } from '../../kernel/reader.ts'
import {
  type EndScope,
  type Session,
  type SessionRow,
  type Sessions,
  whoOf,
} from '../../state/sessions/index.ts'

export interface OwnSessionsOptions {
  readonly sessions: Pick<Sessions, 'ofSameAccount' | 'signOut' | 'end'>
  readonly cookies: SessionCookies
  readonly audit: Pick<AuditTrail, 'record'>
  /** Address at which the provider ends its own session with this browser; null without one. */
  readonly endAtProvider: (ended: SessionRow) => Promise<string | null>
  /** The operator's name for the network of an address; null where there are no names. */
  readonly placeOf: (address: string) => string | null
}

/** Actions of readers on their account's sessions: for scripts, and for the page without them. */
export interface OwnSessions {
  /** Sessions of the account, with the details that identify foreign ones. */
  list(session: Session): Promise<readonly OwnSession[]>
  /**
   * Signs out the request's own session, or its whole account; `Location` says where the browser goes to end the provider's. Idempotent, and done even when
   * the session could not be vouched for any more.
   */
  signOut(request: GateRequest, context: RequestContext, scope: EndScope): Promise<GateResponse>
  /** Ends one session of the account by its id. */
  endOne(reader: Reader, id: string, context: RequestContext): Promise<GateResponse>
}

export function createOwnSessions(options: OwnSessionsOptions): OwnSessions {
  const { sessions, cookies, audit, placeOf, endAtProvider } = options
  return {
    async list(session) {
      const rows = await sessions.ofSameAccount(session)
      return rows
        .filter(({ kind }) => kind === undefined)
        .map(({ id, device, address, startedAtMs, lastSeenAtMs }) => {
          const place = placeOf(address)
          return { id, device, place, startedAtMs, lastSeenAtMs, isThisOne: id === session.id }
        })
    },
    async signOut(request, context, scope) {
      const cookie = cookies.readKey(request)
      const ended = cookie.kind === 'present' ? await sessions.signOut(cookie.key, scope) : []
      for (const one of ended) {
        audit.record('signed_out', { ...whoOf(one), request: context.requestId })
      }
      // "storage" is left alone: it holds the reader's colour mode and nothing of the content.
      const headers = new Headers({ 'Clear-Site-Data': '"cache"' })
      cookies.clear(headers)
      const [own] = ended
      const location = own === undefined ? null : await endAtProvider(own)
      if (location !== null) headers.set('Location', location)
      return new Response(null, { status: 204, headers })
    },
    async endOne({ session }, id, context) {
      const named = (await sessions.ofSameAccount(session)).find(
        (one) => one.id === id && one.kind === undefined,
      )
      if (named === undefined) return problem('not_found')
      for (const one of await sessions.end(named.key, 'one', 'elsewhere')) {
        audit.record('signed_out', { ...whoOf(one), by: session.id, request: context.requestId })
      }
      return new Response(null, { status: 204 })
    },
  }
}
