import { boundFetch } from '@sekisho/contract/bounded-fetch'
import { connectionProblem } from '@sekisho/contract/connection-failure'
import { ExplainedError } from '@sekisho/contract/explained-error'
import { isRecord } from '@sekisho/contract/json-shape'
import { createMessages, Message, type MessageOrText } from '@sekisho/contract/language'
import {
  type BeginResponse,
  type CommitRequest,
  PARTS_TYPE,
  type PlanRequest,
  type PlanResponse,
  type PublishTarget,
  type ReleaseServed,
  type ReleasesResponse,
  type ServedResponse,
  type UseRequest,
} from '@sekisho/contract/publishing'
import { ROUTES } from '@sekisho/contract/routes'
import { TEXTS } from '../../texts/index.ts'
import type { Credentials } from './credentials.ts'

const messageOf = createMessages(TEXTS, 'publishing')

/** The portal refuses, or cannot be reached; the message says why and what to do. */
export class PortalError extends ExplainedError {
  override readonly name = 'PortalError'
  /** Its refusal; null where the portal was unreachable or does not know us. */
  readonly refused: string | null

  constructor(problem: MessageOrText | readonly MessageOrText[], refused: string | null = null) {
    super(problem)
    this.refused = refused
  }
}

/** A portal as publishing target. Temporary failures are retried. */
export interface PortalClient extends BeginResponse {
  sendParts(body: Uint8Array<ArrayBuffer>): Promise<void>
  plan(request: PlanRequest): Promise<PlanResponse>
  /** Resolves when it is served, or to `unsent` where files have to be sent. */
  commit(request: CommitRequest): Promise<ReleaseServed | { readonly state: 'unsent' }>
  releases(): Promise<ReleasesResponse>
  /** Serves a release that is kept. */
  use(request: UseRequest): Promise<ReleaseServed>
  /** Bytes of bodies sent so far, those of attempts that failed included. */
  sentBytes(): number
  /** Arrival of the last part, on the clock of `performance.now()`; null when none had to be sent. */
  lastPartAtMs(): number | null
}

export interface ConnectOptions {
  readonly origin: URL
  readonly credentials: Credentials
  readonly target: PublishTarget
  readonly fetch?: typeof fetch
}

const ATTEMPTS = 6
const FIRST_PAUSE_MS = 250
/** A plan of a million files has some 10 MB, more where parts of them have arrived. */
const BOUNDS = { maxBytes: 64 * 1024 * 1024, timeoutMs: 60_000 }
/** A gate that follows a store fetches what was published; one that cannot says so in its log. */
const PATIENCE = { tries: 60, pauseMs: 1_000 }

/** Proves to the portal who is publishing, and learns what it serves. */
export async function connectPortal(options: ConnectOptions): Promise<PortalClient> {
  const { origin, credentials, target } = options
  const send = boundFetch(options.fetch ?? fetch, BOUNDS)
  let sentBytes = 0
  let lastPartAtMs: number | null = null

  async function once(path: string, init: RequestInit, authorization: string): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('Authorization', `Bearer ${authorization}`)
    if (init.body instanceof Uint8Array) sentBytes += init.body.byteLength
    return send(new URL(path, origin), { ...init, headers, redirect: 'error' })
  }

  /** Retries temporary failures: a broken connection, a restarting gate, a proxy without one. */
  async function ask(path: string, init: RequestInit, authorize: () => Promise<string>): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const authorization = await authorize()
      const answer = await once(path, init, authorization).catch(connectionProblem)
      const mayPass = !(answer instanceof Response) || MAY_PASS.has(answer.status)
      if (!mayPass) return answer
      const isFinal = answer instanceof Message // a certificate is not accepted the next time either
      if (isFinal || attempt === ATTEMPTS) {
        const why = answer instanceof Response ? messageOf('portal_status', answer.status) : answer
        throw new PortalError(messageOf('unreachable', origin.origin, why))
      }
      const seconds = answer instanceof Response ? Number(answer.headers.get('Retry-After') ?? 0) : 0
      await pause(Math.max(FIRST_PAUSE_MS * 2 ** attempt, Math.min(seconds, 30) * 1_000))
    }
  }
  async function json<T>(answer: Response): Promise<T> {
    const value: unknown = await answer.json().catch(() => null)
    if (answer.ok) return value as T // of the gate we proved ourselves to, over a line that only it could answer on
    throw refusalOf(answer.status, value, origin)
  }
  const post = (path: string, value: object, authorize: () => Promise<string>) => {
    const body = new Uint8Array(Buffer.from(JSON.stringify(value)))
    return ask(path, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } }, authorize)
  }

  /** Asks until the gate has done it: it answers before a proxy loses patience, and goes on from where it is. */
  async function untilServed<T extends { readonly state: string }>(path: string, value: object) {
    for (let tries = 0; tries < PATIENCE.tries; ) {
      const answer = await json<T | ServedResponse | { readonly state: 'later' }>(
        await post(path, value, ticket),
      )
      if (answer.state !== 'later' && answer.state !== 'published') return answer as T | ReleaseServed
      if (answer.state === 'later') continue
      tries += 1
      await pause(PATIENCE.pauseMs)
    }
    throw new PortalError(messageOf('published_unserved'))
  }

  const begun = await json<BeginResponse>(await post(ROUTES.publish.path, { target }, credentials))
  const ticket = async () => begun.ticket
  return {
    ...begun,
    async sendParts(body) {
      const init = { method: 'POST', body, headers: { 'Content-Type': PARTS_TYPE } }
      await json(await ask(ROUTES.publishParts.path, init, ticket))
      lastPartAtMs = performance.now()
    },
    plan: async (request) => json(await post(ROUTES.publishPlan.path, request, ticket)),
    commit: (request) => untilServed<{ state: 'unsent' }>(ROUTES.publishCommit.path, request),
    releases: async () => json(await ask(ROUTES.publishReleases.path, {}, ticket)),
    use: (request) => untilServed<ReleaseServed>(ROUTES.publishReleases.path, request),
    sentBytes: () => sentBytes,
    lastPartAtMs: () => lastPartAtMs,
  }
}

const MAY_PASS: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

function refusalOf(status: number, value: unknown, origin: URL): PortalError {
  if (isRecord(value) && typeof value.refused === 'string' && Array.isArray(value.problems))
    return new PortalError(`${origin.origin}: ${value.problems.map(String).join('\n')}`, value.refused)
  if (status === 401) return new PortalError(messageOf('not_accepted', origin.origin))
  return new PortalError(messageOf('other_version', origin.origin, status))
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms * (0.5 + Math.random() / 2)))
}
