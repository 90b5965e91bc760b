import { hash } from 'node:crypto'
import { nonceCookieName } from '@sekisho/contract/cookies'
import {
  ENTRY_SCRIPT,
  ENTRY_STYLE,
  entryDocument,
  entryPolicy,
  TICKET_SHAPE,
} from '@sekisho/contract/preview-entry'
import { PREVIEW_ROUTES, ROUTES } from '@sekisho/contract/routes'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import { BytesResponse } from '@sekisho/wire'
import type { AuditTrail } from '../../audit/index.ts'
import { type Handler, type RequestContext, whereOf } from '../../kernel/boundary.ts'
import { readCookie, setCookie } from '../../kernel/client/cookies.ts'
import { deviceName } from '../../kernel/client/device-name.ts'
import { isFromHere } from '../../kernel/client/fetch-metadata.ts'
import type { SessionCookies } from '../../kernel/client/session-cookies.ts'
import { readFormBody, readJsonBody } from '../../kernel/json-body.ts'
import { jsonResponse, problem, tooManyRequests } from '../../kernel/pages/problem.ts'
import { openRoute, type RouteTable } from '../../kernel/route-table.ts'
import { addressKey, createRateLimit } from '../../state/limits/index.ts'
import type { Identity, Sessions } from '../../state/sessions/index.ts'
import { previewSessionKeyOf, whoOf } from '../../state/sessions/index.ts'
import { challengeOf, createNonce, NONCE_SHAPE, type PreviewTickets } from './tickets.ts'

interface VisitorOptions {
  readonly name: string
  /** Of the preview. */
  readonly origin: URL
  readonly portal: URL
  readonly tickets: PreviewTickets
  readonly sessions: Pick<Sessions, 'handOver' | 'find' | 'end'>
  readonly cookies: SessionCookies
  /** Tells if the policy in force admits an account to this preview. */
  readonly isAdmitted: (account: Identity) => boolean
  readonly audit: AuditTrail
  readonly now: () => number
}

/** Long enough to sign in at the main origin. */
const NONCE_SECONDS = 1_800

const hashOf = (text: string) => `sha256-${hash('sha256', text, 'base64')}`
const POLICY = entryPolicy({ script: hashOf(ENTRY_SCRIPT), style: hashOf(ENTRY_STYLE) })

/** The response to a navigation without a session on a preview's host; constant bytes. */
export function createEntryPage(): () => GateResponse {
  const body = entryDocument()
  return () => entryResponse(body, 401)
}

function entryResponse(body: string, status: number): GateResponse {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'no-referrer',
  }
  return new BytesResponse(body, { status, headers })
}

/**
 * Binds the routes that give a visitor of a preview's host a session. The nonce in their browser binds the ticket: one given to another
 * browser, or fetched by force, opens nothing here.
 */
export function createVisitorRoutes(options: VisitorOptions): RouteTable {
  const { name, origin, portal, tickets, sessions, cookies, isAdmitted, audit, now } = options
  const secure = origin.protocol === 'https:'
  const cookieName = nonceCookieName(secure)
  const failures = createRateLimit({ burst: 20, perSecond: 1 / 3, now })
  const readNonce = ({ headers }: GateRequest) => readCookie(headers.get('cookie'), cookieName, NONCE_SHAPE)
  const giveNonce = (nonce: string, maxAgeSeconds: number) =>
    setCookie(cookieName, nonce, { secure, httpOnly: true, maxAgeSeconds })

  /** Tabs of one browser share a nonce, or the second would lock out the first. */
  const begin: Handler = (request) => {
    if (!isFromHere(request, origin)) return problem('bad_origin')
    const cookie = readNonce(request)
    const nonce = cookie.kind === 'present' ? cookie.value : createNonce()
    const query = new URLSearchParams({ to: name, challenge: challengeOf(nonce) })
    const response = jsonResponse({ location: `${portal.origin}${ROUTES.handOver.path}?${query}` })
    response.headers.append('Set-Cookie', giveNonce(nonce, NONCE_SECONDS))
    return response
  }

  /** No cookie is looked at: browsers may keep it back from a form of another site. The page's script asks again, from here. */
  const arrive: Handler = async (request) => {
    if (request.headers.get('origin') !== portal.origin) return problem('bad_origin')
    const form = await readFormBody(request, PREVIEW_ROUTES.arrive.maxBodyBytes)
    const ticket = form?.get('ticket') ?? ''
    if (!TICKET_SHAPE.test(ticket)) return problem('bad_request')
    return entryResponse(entryDocument(ticket), 200)
  }

  const enter: Handler = async (request, context) => {
    if (!isFromHere(request, origin)) return problem('bad_origin')
    const body = await readJsonBody(request, PREVIEW_ROUTES.enter.maxBodyBytes)
    if (body.kind === 'too_large') return problem('too_large')
    const ticket = body.kind === 'read' ? readTicket(body.value) : null
    if (ticket === null) return problem('bad_request')
    const cookie = readNonce(request)
    if (cookie.kind !== 'present') return refuse('no_nonce', context, null)
    const opened = tickets.open(ticket, { host: origin.host, challenge: challengeOf(cookie.value) })
    if (opened === null) return refuse('ticket', context, null)
    const parent = await sessions.find(opened.parent, { touch: false })
    if (parent === null) return refuse('parent_ended', context, null)
    if (!isAdmitted(parent)) return refuse('policy', context, parent.email)

    const earlier = cookies.readKey(request)
    const keyOf = (token: string) => previewSessionKeyOf(origin.host, token)
    const started = await sessions.handOver({
      ...opened,
      keyOf,
      device: [deviceName(request.headers.get('user-agent')), origin.host].filter(Boolean).join(' · '),
      address: context.clientAddress,
    })
    if (started.kind !== 'started') return refuse(started.kind, context, parent.email)
    const { token, session } = started
    if (earlier.kind === 'present') await sessions.end(earlier.key, 'one', 'replaced')
    try {
      await audit.recordDurably('signed_in', { ...whoOf(session), from: parent.id, ...whereOf(context) })
    } catch (error) {
      await sessions.end(keyOf(token), 'one', 'revoked') // nobody holds its token yet
      throw error
    }
    context.isReader = true
    // What an earlier preview of this name left in the browser goes, its service workers too.
    const headers = new Headers({ 'Clear-Site-Data': '"cache", "storage"' })
    cookies.give(headers, token, session)
    headers.append('Set-Cookie', giveNonce('', 0))
    return new Response(null, { status: 204, headers })
  }

  function refuse(reason: string, context: RequestContext, email: string | null): GateResponse {
    const waitSeconds = failures.take(addressKey(context.clientAddress))
    audit.record('sign_in_refused', { reason, email, ...whereOf(context) })
    if (reason === 'policy') return problem('not_admitted')
    return waitSeconds === 0 ? problem('rejected') : tooManyRequests(waitSeconds)
  }

  return new Map([
    openRoute(PREVIEW_ROUTES.begin, { POST: begin }),
    openRoute(PREVIEW_ROUTES.arrive, { POST: arrive }),
    openRoute(PREVIEW_ROUTES.enter, { POST: enter }),
  ])
}

function readTicket(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('ticket' in value) || Object.keys(value).length !== 1)
    return null
  return typeof value.ticket === 'string' && TICKET_SHAPE.test(value.ticket) ? value.ticket : null
}
