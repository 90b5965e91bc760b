import { oauthErrorDocument } from '@sekisho/contract/agents'
import { AGENT_ROUTES } from '@sekisho/contract/routes'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import type { AuditTrail } from '../../audit/index.ts'
import type { RequestContext } from '../../kernel/boundary.ts'
import { isNavigation } from '../../kernel/client/fetch-metadata.ts'
import type { SessionCookies } from '../../kernel/client/session-cookies.ts'
import { readFormBody } from '../../kernel/json-body.ts'
import { problem, tooManyRequests } from '../../kernel/pages/problem.ts'
import type { Reader } from '../../kernel/reader.ts'
import { actOf } from '../../kernel/reader-trail.ts'
import type { ReaderHandler } from '../../kernel/route-table.ts'
import type { Grants } from '../../state/grants/index.ts'
import { accountKey, createRateLimit } from '../../state/limits/index.ts'
import type { Account, Seal, Session, Sessions } from '../../state/sessions/index.ts'
import {
  type AuthorizationRequest,
  answerTo,
  type RequestReading,
  readAuthorizationRequest,
} from './authorization-request.ts'
import type { Client } from './clients.ts'
import { answerPage, consentPage, refusalPage } from './consent-page.ts'
import { oauthError } from './oauth-error.ts'

export interface AuthorizeOptions {
  readonly origin: URL
  readonly findClient: (id: string, reader: string) => Promise<Client | null>
  readonly grants: Pick<Grants, 'begin' | 'end' | 'hasRoom'>
  readonly sessions: Pick<Sessions, 'createOfflineSession'>
  readonly cookies: SessionCookies
  readonly audit: Pick<AuditTrail, 'record' | 'recordDurably'>
  readonly seal: Seal
  readonly now: () => number
}

/** Values a code is bound to: another client or request cannot exchange it. */
export interface CodeBinding {
  readonly redirect: string
  readonly challenge: string
}

/** A page that was shown longer ago counts no more. */
const SHOWN_MS = 600_000
/** A reader connects a few clients; each request may fetch a document and add a grant. */
const LIMIT = { burst: 30, perSecond: 1 / 10 }
/** A query is as long as this at most: it travels in the form as well. */
const MAX_QUERY_CHARS = 4_096

/** Makes what asks a reader, and what takes the answer. */
export function createAuthorize(
  options: AuthorizeOptions,
): Readonly<Record<'show' | 'decide', ReaderHandler>> {
  const { origin, findClient, grants, sessions, cookies, audit, seal, now } = options
  const limit = createRateLimit({ ...LIMIT, now })
  /** Consent context of one reader's session: pages shown to other readers are invalid here. */
  const contextOf = ({ id }: Session) => `consent ${id}`

  function sealForm(session: Session, query: string): string {
    return Buffer.from(seal.close(`${now()} ${query}`, contextOf(session))).toString('base64url')
  }
  function openForm(session: Session, token: string): URLSearchParams | null {
    const opened = seal.open(Buffer.from(token, 'base64url'), contextOf(session))
    if (opened === null) return null
    const [shownAt = '', query] = opened.split(' ', 2) // a query has no space
    return now() - Number(shownAt) > SHOWN_MS ? null : new URLSearchParams(query)
  }
  const takeTurn = (account: Account) => limit.take(accountKey(account))
  const findFor = (account: Account) => (id: string) => findClient(id, accountKey(account))

  const show: ReaderHandler = async (request, reader) => {
    const { account, session, served } = reader
    const waitSeconds = takeTurn(account)
    if (waitSeconds > 0) return tooManyRequests(waitSeconds)
    const { search, searchParams } = new URL(request.url)
    const reading: RequestReading =
      search.length > MAX_QUERY_CHARS
        ? { kind: 'unknown', what: 'request' }
        : await readAuthorizationRequest(searchParams, origin, findFor(account))
    if (reading.kind !== 'asked' && !isNavigation(request)) return errorDocument(reading)
    if (reading.kind === 'unknown') return refusalPage(served, reading.what)
    if (reading.kind === 'refused')
      return redirectTo(answerTo(reading, { ...oauthErrorDocument(reading.error) }, origin))
    return consentPage({ reader, asked: reading.request, formToken: sealForm(session, search) })
  }

  const decide: ReaderHandler = async (request, reader, context) => {
    const { account, session, served } = reader
    const waitSeconds = takeTurn(account)
    if (waitSeconds > 0) return tooManyRequests(waitSeconds)
    const form = await readFormBody(request, AGENT_ROUTES.authorize.maxBodyBytes)
    const query = openForm(session, form?.get('request') ?? '')
    if (query === null) return refusalPage(served, 'expired')
    const reading = await readAuthorizationRequest(query, origin, findFor(account))
    if (reading.kind !== 'asked') return refusalPage(served, 'request')
    const decision = form?.get('decision')
    if (decision === 'allow') return allow(reading.request, request, reader, context)
    if (decision !== 'deny') return problem('bad_request')
    const { client } = reading.request
    audit.record('agent_refused', { ...actOf(reader, context), agent: client.id })
    return answer(reading.request, reader, { ...oauthErrorDocument('access_denied') })
  }

  function answer(
    asked: AuthorizationRequest,
    { served }: Reader,
    fields: Readonly<Record<string, string>>,
  ): GateResponse {
    return answerPage(served, asked.redirect, answerTo(asked, fields, origin))
  }

  async function allow(
    asked: AuthorizationRequest,
    request: GateRequest,
    reader: Reader,
    context: RequestContext,
  ): Promise<GateResponse> {
    const { account } = reader
    const cookie = cookies.readKey(request)
    const offline = cookie.kind === 'present' ? await sessions.createOfflineSession(cookie.key) : null
    if (offline?.kind !== 'offline') return problem('signed_out')
    if (!(await grants.hasRoom(account))) return refusalPage(reader.served, 'many')
    const { client, redirect, challenge } = asked
    const binding = JSON.stringify({ redirect: redirect.text, challenge } satisfies CodeBinding)
    const { name } = client
    const consent = { session: offline.key, account, client: client.id, name, binding }
    const begun = await grants.begin(consent)
    if (begun === null) return problem('signed_out')
    const { grant, code } = begun
    const act = actOf({ session: offline.renewed?.session ?? reader.session }, context)
    const what = { grant: grant.id, agent: client.id, name, redirect: redirect.url.host }
    try {
      await audit.recordDurably('agent_allowed', { ...act, ...what })
    } catch (error) {
      await grants.end(account, grant.id) // a grant without a line on the disk is none
      throw error
    }
    const response = answer(asked, reader, { code })
    const { renewed } = offline
    if (renewed !== null) cookies.give(response.headers, renewed.token, renewed.session)
    return response
  }

  return { show, decide }
}

/** Tells a program that asks by itself, without a reader's browser, in the form that it reads. */
function errorDocument(reading: Exclude<RequestReading, { readonly kind: 'asked' }>): GateResponse {
  if (reading.kind === 'refused') return oauthError(reading.error)
  return oauthError(reading.what === 'client' ? 'invalid_client' : 'invalid_request')
}

/** Sends a browser that came by a link to the client, with nothing of where it was. */
function redirectTo(location: string): GateResponse {
  return new Response(null, {
    status: 303,
    headers: { Location: location, 'Referrer-Policy': 'no-referrer' },
  })
}
