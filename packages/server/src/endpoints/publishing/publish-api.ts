import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type {
  BeginResponse,
  PublisherRight,
  PublishRefusal,
  PublishRefusalResponse,
  PublishTarget,
} from '@sekisho/contract/publishing'
import { MAX_PARTS_BODY_BYTES, PARTS_TYPE } from '@sekisho/contract/publishing'
import { ROUTES } from '@sekisho/contract/routes'
import {
  bytesBehind,
  MAX_BATCH_BYTES,
  MAX_HANDLED_BYTES,
  publisherOf,
  ReleaseError,
  readFrames,
} from '@sekisho/release'
import {
  mayKnowServed,
  type Receiver,
  RefusedPublishError,
  type ShownReaders,
} from '@sekisho/release/receiving'
import type { GateRequest, GateResponse } from '@sekisho/wire'
import type { AuditTrail } from '../../audit/index.ts'
import { type Handler, type RequestContext, whereOf } from '../../kernel/boundary.ts'
import { createFairSemaphore } from '../../kernel/fair-semaphore.ts'
import { readBytes, readJsonBody } from '../../kernel/json-body.ts'
import { jsonResponse, problem, tooManyRequests } from '../../kernel/pages/problem.ts'
import { publisherRoute, type RouteTable } from '../../kernel/route-table.ts'
import { addressKey, createRateLimit } from '../../state/limits/index.ts'
import type { PublisherStore } from '../../state/publishers/index.ts'
import { UnavailableError } from '../../storage/unavailable-error.ts'
import type { Admission, Publisher } from './admit-publisher.ts'
import { isWidening, readPlanRequest, readServedId, readTarget } from './read-requests.ts'
import { type PublishTickets, readBearer, type Ticket } from './tickets.ts'

export interface PublishApiOptions {
  readonly admit: (credentials: string) => Promise<Admission>
  readonly store: Pick<PublisherStore, 'hasToken'>
  readonly tickets: PublishTickets
  readonly receiver: Receiver
  readonly audit: Pick<AuditTrail, 'record' | 'recordDurably'>
  readonly now: () => number
}

const TICKET_MS = 60 * 60_000
/** Plans and commits of a publisher of previews, on whichever refs: each looks at every file of a release, and one publication needs five. */
const PLANS = { burst: 30, perSecond: 1 / 2 }
const unpack = promisify(zstdDecompress)

const STATUS: Readonly<Record<PublishRefusal, number>> = {
  not_allowed: 403,
  other_bytes: 422,
  release_refused: 422,
  would_widen: 409,
  pointer_moved: 409,
  release_missing: 404,
  no_room: 507,
}

type WithTicket = (
  request: GateRequest,
  ticket: Ticket,
  context: RequestContext,
  credentials: string,
) => Promise<GateResponse>

/**
 * The routes of publishers, which ignore cookies. Only `publish` reads credentials and exchanges them for a ticket for an hour and one
 * target; without either, every route gives the same response.
 */
export function createPublishApi(options: PublishApiOptions) {
  const { admit, tickets, receiver, audit, now } = options
  const verifying = createFairSemaphore(2)
  /** Apart, as previews may be of many jobs: a release waits for none of them. */
  const working = { production: createFairSemaphore(4), preview: createFairSemaphore(2) }
  const plans = createRateLimit({ ...PLANS, now })
  const failures = createRateLimit({ burst: 20, perSecond: 1 / 3, now })

  /** Recorded, and answered alike whatever was wrong. */
  function refuse(reason: string, by: string | null, context: RequestContext): GateResponse {
    const waitSeconds = failures.take(addressKey(context.clientAddress))
    audit.record('publish_refused', { reason, by, ...whereOf(context) })
    return waitSeconds === 0 ? problem('publisher_required') : tooManyRequests(waitSeconds)
  }

  const begin: Handler = async (request, context) => {
    const credentials = readBearer(request.headers)
    if (credentials === null) return problem('publisher_required')
    const client = addressKey(context.clientAddress)
    const admission = await verifying(client, () => admit(credentials))
    if (!admission.ok) return refuse(admission.reason, admission.by, context)
    const { publisher } = admission
    const body = await readJsonBody(request, ROUTES.publish.maxBodyBytes)
    const target = body.kind === 'read' ? readTarget(body.value) : null
    if (target === null) return problem('bad_request')
    return guarded(publisher.by, context, async () => {
      if (!mayBegin(publisher, target)) throw notAllowed(`${publisher.by} has no right to that`)
      const expiresAtMs = now() + TICKET_MS
      const begun = await receiver.begin({ ...publisher, target })
      audit.record('publisher_admitted', { by: publisher.by, target: nameOf(target), ...whereOf(context) })
      const answer: BeginResponse = {
        ticket: tickets.seal({ ...publisher, target, expiresAtMs }),
        expiresAtMs,
        ...begun,
      }
      return jsonResponse(answer)
    })
  }

  /** Runs what a ticket allows; a ticket ends with the publish token it was given for. */
  function withTicket(run: WithTicket): Handler {
    return async (request, context) => {
      const credentials = readBearer(request.headers)
      if (credentials === null) return problem('publisher_required')
      const ticket = tickets.read(credentials)
      if (ticket === null) return refuse('ticket', null, context)
      if (ticket.token !== null && !(await options.store.hasToken(ticket.token)))
        return refuse('token', ticket.by, context)
      context.isReader = true
      context.account = ticket.by
      return guarded(ticket.by, context, () =>
        working[ticket.target === 'production' ? 'production' : 'preview'](publisherOf(ticket.owner), () =>
          run(request, ticket, context, credentials),
        ),
      )
    }
  }

  async function guarded(by: string, context: RequestContext, run: () => Promise<GateResponse>) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof RefusedPublishError)) throw asOutage(error)
      const { refused, problems } = error
      audit.record('publish_refused', {
        reason: refused,
        by,
        problem: problems[0] ?? null,
        ...whereOf(context),
      })
      const answer: PublishRefusalResponse = { refused, problems }
      return jsonResponse(answer, { status: STATUS[refused] })
    }
  }

  const parts = withTicket(async (request, ticket, _context, credentials) => {
    assertMayCommit(ticket)
    if (request.headers.get('Content-Type') !== PARTS_TYPE) return problem('bad_request')
    const body = await readBytes(request, MAX_PARTS_BODY_BYTES)
    if (body === null) return problem('too_large')
    const unpacked = await unpack(body, { maxOutputLength: MAX_BATCH_BYTES }).catch(() => null)
    const frames = unpacked === null ? null : readFrames(unpacked)
    const bytes = (frames ?? []).reduce((sum, one) => sum + bytesBehind(one), 0)
    if (frames === null || bytes > MAX_HANDLED_BYTES) return problem('bad_request')
    await receiver.keepParts(ticket, frames, credentials)
    return jsonResponse({ kept: frames.length })
  })

  const withPlan = (run: WithTicket) =>
    withTicket(async (request, ticket, ...rest) => {
      assertMayCommit(ticket)
      const waitSeconds = mayKnowServed(ticket) ? 0 : plans.take(publisherOf(ticket.owner))
      return waitSeconds > 0 ? tooManyRequests(waitSeconds) : run(request, ticket, ...rest)
    })

  const plan = withPlan(async (request, ticket) => {
    const body = await readJsonBody(request, ROUTES.publishPlan.maxBodyBytes)
    const read = body.kind === 'read' ? readPlanRequest(body.value) : null
    return read === null ? problem('bad_request') : jsonResponse(await receiver.plan(ticket, read))
  })

  const commit = withPlan(async (request, ticket, context) => {
    const body = await readJsonBody(request, ROUTES.publishCommit.maxBodyBytes)
    const value = body.kind === 'read' ? body.value : null
    const read = readPlanRequest(value, ['from', 'widen'])
    const from = readServedId((value as { from?: unknown } | null)?.from)
    if (read === null || from === undefined) return problem('bad_request')
    const record = recordAct('release_published', read.id, ticket, context)
    return jsonResponse(await receiver.commit(ticket, { ...read, from, widen: isWidening(value) }, record))
  })

  const list = withTicket(async (_request, { by, target }) => {
    if (target !== 'production') throw notAllowed(`${by} may not list the portal's releases`)
    return jsonResponse(await receiver.releases())
  })
  const use = withTicket(async (request, ticket, context) => {
    if (!ticket.may.includes('rollback') || ticket.target !== 'production')
      throw notAllowed(`${ticket.by} may not roll back`)
    const body = await readJsonBody(request, ROUTES.publishReleases.maxBodyBytes)
    const value = body.kind === 'read' ? body.value : null
    const id = readServedId((value as { id?: unknown } | null)?.id)
    if (id == null) return problem('bad_request')
    const record = recordAct('release_rolled_back', id, ticket, context)
    return jsonResponse(await receiver.use({ id, widen: isWidening(value) }, record))
  })

  function recordAct(
    event: 'release_published' | 'release_rolled_back',
    release: string,
    { by, target }: Ticket,
    context: RequestContext,
  ) {
    const fields = { by, target: nameOf(target), ...whereOf(context) }
    return {
      pointer: (before: string | null) => audit.recordDurably(event, { release, before, ...fields }),
      readers: (before: ShownReaders, after: ShownReaders) =>
        audit.recordDurably('preview_readers_changed', { before, after, ...fields }),
    }
  }

  const routes: RouteTable = new Map([
    publisherRoute(ROUTES.publish, { POST: begin }),
    publisherRoute(ROUTES.publishParts, { POST: parts }),
    publisherRoute(ROUTES.publishPlan, { POST: plan }),
    publisherRoute(ROUTES.publishCommit, { POST: commit }),
    publisherRoute(ROUTES.publishReleases, { GET: list, POST: use }),
  ])
  return {
    routes,
    /** Longest body of a request, asked before a byte of it is read: only holders of a ticket may send long ones. */
    maxBodyBytes({ url, headers }: Pick<GateRequest, 'url' | 'headers'>): number {
      const mayBeLong = new URL(url).pathname === ROUTES.publishParts.path
      const credentials = mayBeLong ? readBearer(headers) : null
      return credentials !== null && tickets.read(credentials) !== null ? MAX_PARTS_BODY_BYTES : 0
    },
  }
}

/** Turns failures of the release store into outages, which are not the sender's fault; other faults stay. */
export function asOutage(error: unknown): unknown {
  if (!(error instanceof ReleaseError)) return error
  return new UnavailableError('unavailable', error.message, { cause: error })
}

function rightFor(target: PublishTarget): PublisherRight {
  return target === 'production' ? 'publish' : 'preview'
}

/** Tells if a publisher may begin; a right to roll back suffices, for the list and that act. */
function mayBegin({ may }: Publisher, target: PublishTarget): boolean {
  return may.includes(rightFor(target)) || (target === 'production' && may.includes('rollback'))
}

function assertMayCommit({ by, may, target }: Ticket): void {
  if (!may.includes(rightFor(target))) throw notAllowed(`${by} may not publish here`)
}

function notAllowed(why: string): RefusedPublishError {
  return new RefusedPublishError('not_allowed', [why])
}

const nameOf = (target: PublishTarget): string =>
  target === 'production' ? target : `preview ${target.preview}`
