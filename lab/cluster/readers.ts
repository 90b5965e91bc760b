import { hash } from 'node:crypto'
import { Agent, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { cookieNames } from '@sekisho/contract/cookies'
import { PATHS } from '@sekisho/contract/paths'
import { readReleaseTiming } from '@sekisho/contract/response-headers'
import { HOST } from '../../packages/sekisho/test/support/serving-gate.ts'
import { GATE_HEADER } from './cluster.ts'
import { SCRIPT, SECRET_SENTENCE } from './cluster-releases.ts'
import type { Issuer } from './issuer.ts'

/** `signed-out` is a cookie whose session its reader ended. */
export type Asking = 'page' | 'script' | 'session' | 'stranger' | 'signed-out' | 'sign-in' | 'sign-out'

/** One request as its reader saw it. Times are of `performance.now()`. */
export interface Observation {
  readonly asking: Asking
  readonly reader: string
  readonly path: string
  readonly beganMs: number
  readonly endedMs: number
  /** 0 where no whole answer arrived. */
  readonly status: number
  /** Empty where no gate answered. */
  readonly gate: string
  /** That the answer names; only pages do. */
  readonly release: string | null
  readonly sha256: string
  readonly holdsContent: boolean
  /** Address in the session response. */
  readonly email: string | null
  /** Client address; each sign-in has its own. */
  readonly client: string
}

export interface Answer {
  readonly status: number
  readonly gate: string
  readonly release: string | null
  readonly cookie: string | null
  readonly body: Buffer
}

interface AskOptions {
  readonly port: number
  readonly path: string
  readonly method?: string
  readonly cookie?: string
  readonly body?: string
  readonly agent?: Agent | false
  readonly client?: string
  /** Beside, or in the place of, those that every request has. */
  readonly headers?: Readonly<Record<string, string>>
}

const TIMEOUT_MS = 15_000
const NOTHING: Answer = { status: 0, gate: '', release: null, cookie: null, body: Buffer.alloc(0) }

/** Asks once, and never again; status 0 where no whole answer arrived. */
export async function ask({
  port,
  path,
  method = 'GET',
  cookie,
  body,
  agent = false,
  client,
  headers = {},
}: AskOptions): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sent = request({
    ...{ port, host: '127.0.0.1', path, method, agent, timeout: TIMEOUT_MS },
    ...(client !== undefined && { localAddress: client }),
    headers: {
      Host: HOST,
      'Accept-Encoding': 'identity',
      ...(cookie !== undefined && { Cookie: cookie }),
      ...(method !== 'GET' && { Origin: `https://${HOST}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
  })
  sent.on('response', resolve).on('error', reject)
  sent.on('timeout', () => sent.destroy(new Error('no answer in time')))
  sent.end(body)
  try {
    const response = await promise
    const session = response.headers['set-cookie']?.find((line) => line.startsWith(`${SESSION_COOKIE}=`))
    return {
      status: response.statusCode ?? 0,
      gate: String(response.headers[GATE_HEADER] ?? ''),
      release: readReleaseTiming(String(response.headers['server-timing'] ?? '')),
      cookie: session?.split(';')[0] ?? null,
      body: await buffer(response),
    }
  } catch {
    return NOTHING
  }
}

const SESSION_COOKIE = cookieNames(true).session
let signIns = 0

/** Signs in from a unique address, so that its line in the audit trail can be identified. */
export async function signIn(
  issuer: Issuer,
  port: number,
  email: string,
): Promise<Answer & { readonly client: string }> {
  signIns += 1
  const client = `127.${16 + (signIns >> 14)}.${(signIns >> 7) & 127}.${1 + (signIns & 127)}`
  const body = JSON.stringify(await issuer.signIn(email))
  return { ...(await ask({ port, path: PATHS.session, method: 'POST', body, client })), client }
}

interface ReadersOptions {
  readonly count: number
  /** Requests a second of all readers together, at most. */
  readonly perSecond: number
  readonly port: number
  readonly issuer: Issuer
  readonly pages: readonly string[]
  readonly observe: (seen: Observation) => void
  /** Ends it. */
  readonly signal: AbortSignal
}

/** Until the signal, signs readers in and lets each read page after page, with other requests now and then. */
export async function read(options: ReadersOptions): Promise<void> {
  const names = Array.from({ length: options.count }, (_, index) => `reader-${index}@example.co.jp`)
  await Promise.all(names.map((email, index) => readAs(email, index, options)))
}

async function readAs(email: string, index: number, options: ReadersOptions): Promise<void> {
  const { port, issuer, pages, observe, signal, count, perSecond } = options
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const stepMs = (1_000 * count) / perSecond
  const beganAtMs = performance.now() + (stepMs * index) / count
  let cookie: string | null = null
  let over: { readonly cookie: string; readonly sinceMs: number } | null = null
  let page = 0

  const look = async (asking: Asking, path: string, sent: Partial<AskOptions>) => {
    const beganMs = performance.now()
    const answer =
      asking === 'sign-in' ? await signIn(issuer, port, email) : await ask({ port, path, agent, ...sent })
    observe({
      ...{ asking, reader: email, path, beganMs, endedMs: performance.now() },
      ...{ status: answer.status, gate: answer.gate, release: answer.release },
      sha256: hash('sha256', answer.body),
      holdsContent: answer.body.includes(SECRET_SENTENCE),
      email: asking === 'session' && answer.status === 200 ? readEmail(answer.body) : null,
      client: 'client' in answer && typeof answer.client === 'string' ? answer.client : '',
    })
    return answer
  }

  for (let step = index; !signal.aborted; step += 1) {
    const dueMs = beganAtMs + (step - index) * stepMs - performance.now()
    if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs))
    if (cookie === null) {
      if (over !== null && performance.now() - over.sinceMs > SIGN_OUT_LIMIT_MS) {
        await look('signed-out', pages[page % pages.length] ?? '/', { cookie: over.cookie })
        over = null
      }
      const answer = await look('sign-in', PATHS.session, {})
      if (answer.status === 401) break // an account that was disabled
      cookie = answer.cookie
      continue
    }
    const sent = { cookie }
    if (step % 40 === 39) {
      const { status } = await look('sign-out', PATHS.session, { ...sent, method: 'DELETE' })
      if (status === 204) over = { cookie, sinceMs: performance.now() }
      cookie = null // also after an answer that says nothing: the session may be over by now
    } else if (step % 10 === 3) await look('session', PATHS.session, sent)
    else if (step % 10 === 6) await look('stranger', step % 20 === 6 ? SCRIPT : (pages[page] ?? '/'), {})
    else if (step % 10 === 9) await look('script', SCRIPT, sent)
    else {
      const { status } = await look('page', pages[page % pages.length] ?? '/', sent)
      page += 1
      if (status === 401) cookie = null
    }
  }
  agent.destroy()
}

/** From the answer to a sign-out until it counts on every gate. */
export const SIGN_OUT_LIMIT_MS = 1_000

function readEmail(body: Buffer): string | null {
  const answer: unknown = JSON.parse(body.toString())
  return typeof answer === 'object' && answer !== null && 'email' in answer ? String(answer.email) : null
}
