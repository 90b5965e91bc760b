import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { DEFAULT_RETENTION } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, writeFiles } from '@sekisho/release/testing'
import type { GateResponse } from '@sekisho/wire'
import { type AccessPolicy, readPolicy } from '../access/policy.ts'
import { createAgentsSignInRoutes } from '../agents/sign-in/agents-sign-in.ts'
import type { ClientRules } from '../agents/sign-in/client-rules.ts'
import type { FetchDocument } from '../agents/testing/index.ts'
import type { AuditTrail } from '../audit/index.ts'
import { openFolderTrail, readAuditFolder } from '../audit/index.ts'
import { createOwnAgents } from '../endpoints/account/own-agents.ts'
import { openPublishing } from '../endpoints/publishing/open-publishing.ts'
import type { LoginBundle } from '../endpoints/sign-in/login-bundle.ts'
import { createLoginPage } from '../endpoints/sign-in/login-page.ts'
import type { IdentityProvider } from '../identity/provider.ts'
import type { ExchangeResult } from '../identity/testing/index.ts'
import {
  type AssertionsOptions,
  createAssertions,
  createTestIssuer,
  firebaseLogin,
  ISSUER,
  PROJECT,
  type TestIssuer,
} from '../identity/testing/index.ts'
import type { Exchange } from '../kernel/boundary.ts'
import { readPlaces } from '../kernel/client/places.ts'
import { createSessionCookies } from '../kernel/client/session-cookies.ts'
import { boundTrail } from '../kernel/monitoring/refusal-sums.ts'
import { watchSignIns } from '../kernel/monitoring/sign-in-watch.ts'
import type { Gate } from '../policy.ts'
import { createPortalGate, type PortalParts } from '../portal-gate.ts'
import { createContentPolicy } from '../releases/content-policy.ts'
import { openReleases } from '../releases/open-releases.ts'
import { openSqliteAcknowledgements } from '../state/acknowledgements/index.ts'
import { createGrants, type Grants } from '../state/grants/index.ts'
import { ACCOUNT_LIMIT, createRateLimit, REGISTRATION_LIMIT } from '../state/limits/index.ts'
import { openSqlitePublishers } from '../state/publishers/index.ts'
import {
  createSeal,
  createSessions,
  type SessionKey,
  type Sessions,
  sessionKeyOf,
} from '../state/sessions/index.ts'
import { openSqliteSessions } from '../state/sessions/sqlite/sqlite-sessions.ts'
import { LIMITS } from '../state/testing/test-sessions.ts'
import { dataFolderAt } from '../storage/data-folder.ts'

export const ORIGIN = new URL('https://portal.test')
/** Headers of a browser that opens an address. */
export const NAVIGATION = { Accept: 'text/html', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
export const CLIENT = { clientAddress: '192.0.2.1' }

/** A whole gate over a packed release, with an issuer, a clock and a policy that the test holds in its hands. */
export interface TestGate extends AsyncDisposable {
  readonly gate: Gate
  readonly issuer: TestIssuer
  readonly sessions: Sessions
  readonly grants: Grants
  readonly audit: AuditTrail
  readonly exchanges: Exchange[]
  /** Level and event of each line that endpoints wrote into the log. */
  readonly logged: readonly string[]
  /** `exchange` null: a refresh token is exchanged for itself, so an ID token can be its own. */
  readonly state: { nowMs: number; policy: AccessPolicy; exchange: ExchangeResult | null }
  /** Gives the trail the lines of refused sign-ins that had none of their own, as it gets them once a minute. */
  sumUpRefused(): void
  /** The lines of the audit trail so far. */
  records(): Promise<readonly Record<string, unknown>[]>
  ask(path: string, init?: RequestInit): Promise<GateResponse>
  postSession(idToken: string, headers?: Record<string, string>): Promise<GateResponse>
  /** Signs in and resolves to the Cookie header of the new session. */
  signIn(claims?: Record<string, unknown>): Promise<string>
  /** Signs in, lets a client read, and resolves to the Authorization header of its token. */
  signInAgent(claims?: Record<string, unknown>): Promise<string>
  /** Status of a page for these cookies. */
  statusFor(cookie: string): Promise<number>
}

const BUNDLE: LoginBundle = {
  script: 'assets/login-1.js',
  flows: {},
  styles: ['assets/login-1.css'],
  icon: 'assets/mark.svg',
  shell: '<p>%title%</p><p>%tagline%</p>',
  assets: new Map([
    [
      'assets/login-1.js',
      { type: 'text/javascript; charset=utf-8', plain: new Uint8Array([1]), brotli: new Uint8Array([2]) },
    ],
  ]),
}

const KEPT_RECORDS = {
  ...{ auditKeepMs: 365 * 86_400_000, searchLogDays: 30, feedbackDays: 365 },
  ...{ hasWhatsNew: true, hasReadership: true, hasAnswers: true, hasMail: true },
}

/** Parts of a test's gate, and what agents meet there. */
export type TestGateChanges = Partial<PortalParts> & {
  readonly agentRules?: ClientRules
  readonly fetchDocument?: FetchDocument
}

/** Makes the gate; `changes` replaces parts of it, for tests that break one on purpose, and adds endpoints. */
export async function createTestGate(changes: TestGateChanges = {}): Promise<TestGate> {
  await using cleanup = new AsyncDisposableStack()
  const services = await openTestServices(cleanup)
  const { issuer, sessions, grants, audit, folder, state } = services
  const exchanges: Exchange[] = []
  const logged: string[] = []
  const gate = createGateOf(services, {
    observe: (one) => exchanges.push(one),
    log: (level, event) => logged.push(`${level} ${event}`),
    ...changes,
  })

  const ask = async (path: string, init: RequestInit = {}) =>
    withClearPolicy(await gate(new Request(ORIGIN.origin + path, init), CLIENT))
  const postSession = async (idToken: string, headers: Record<string, string> = {}) =>
    ask('/__gate/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: ORIGIN.origin, ...headers },
      body: JSON.stringify({ idToken, refreshToken: idToken }),
    })
  const signIn = async (claims: Record<string, unknown> = {}) => {
    const response = await postSession(await issuer.sign(claims))
    if (response.status !== 204) throw new Error(`sign-in answered ${response.status}`)
    return cookieHeaderOf(response)
  }
  const resources = cleanup.move()
  return {
    ...{ gate, issuer, sessions, grants, audit, exchanges, logged, state },
    sumUpRefused: services.sumUpRefused,
    async records() {
      await audit.flush()
      const lines: Record<string, unknown>[] = []
      for await (const part of readAuditFolder(folder.audit).read('gate'))
        lines.push(...part.lines.map((line) => JSON.parse(line)))
      return lines.filter((line) => 'event' in line)
    },
    ask,
    postSession,
    signIn,
    async signInAgent(claims) {
      const [, token = ''] = /^[^=]+=([^;]+)/.exec(await signIn(claims)) ?? []
      return `Bearer ${await letIn(sessions, grants, sessionKeyOf(token))}`
    },
    statusFor: async (Cookie) => (await ask('/docs/guide', { headers: { Cookie } })).status,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Refuses a content policy with two directives of one name: browsers ignore the second. */
function withClearPolicy(response: GateResponse): GateResponse {
  const policy = response.headers.get('content-security-policy') ?? ''
  const names = policy.split(';').map((directive) => directive.trim().split(' ')[0])
  if (new Set(names).size !== names.length) throw new Error(`repeated directive: ${policy}`)
  return response
}

const STARTED_MS = Date.parse('2026-11-21T00:00:00Z')
/** Files of a packed build and of empty stores by their paths: to write them again takes a tenth of making them. */
let packed: Promise<(readonly [path: string, bytes: Uint8Array])[]> | undefined

async function packTestBuild() {
  await using build = await createTestBuild()
  await packRelease({ ...build, clock: () => STARTED_MS })
  const folder = dataFolderAt(build.root)
  await openSqliteSessions(join(build.root, 'sessions.db'), { context: null }).close()
  await openSqliteAcknowledgements(folder.acknowledgements).close()
  await openSqlitePublishers(folder.publishers).close()
  const entries = await readdir(build.root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(files.map(async (file) => [relative(build.root, file), await readFile(file)] as const))
}

async function writePacked(root: string): Promise<void> {
  packed ??= packTestBuild()
  writeFiles(root, Object.fromEntries(await packed))
}

type TestServices = Awaited<ReturnType<typeof openTestServices>>

/** A packed release, an issuer, and the state that the gate keeps. */
async function openTestServices(cleanup: AsyncDisposableStack) {
  const build = cleanup.use(await createTestBuild())
  const state: TestGate['state'] = {
    nowMs: STARTED_MS,
    policy: readPolicy(['example.co.jp'], []).policy,
    exchange: null,
  }
  const now = () => state.nowMs
  await writePacked(build.root)
  const issuer = await createTestIssuer(now)
  const file = join(build.root, 'sessions.db')
  const store = cleanup.adopt(openSqliteSessions(file, { context: null }), (opened) => opened.close())
  const seal = createSeal('s'.repeat(32))
  const sessions = createSessions({ store, seal, limits: LIMITS, now })
  const grants = createGrants({ store: store.grants, seal, now })
  const exchange = async (refreshToken: string): Promise<ExchangeResult> => {
    return state.exchange ?? { kind: 'alive', idToken: refreshToken, refreshToken }
  }
  const folder = dataFolderAt(build.root)
  const trail = await openFolderTrail(folder, { now, onFailure: () => {} })
  const { audit, flush: sumUpRefused } = boundTrail({ trail, now, onFailure() {} })
  cleanup.defer(() => trail.close())
  const releases = await openReleases({ releasesDir: build.releasesDir })
  const acknowledgements = cleanup.adopt(openSqliteAcknowledgements(folder.acknowledgements), (opened) =>
    opened.close(),
  )
  const publishers = cleanup.adopt(openSqlitePublishers(folder.publishers), (opened) => opened.close())
  const publishing = openPublishing({
    config: {
      publishing: { rulesFile: null, maxBytes: 1_000_000, maxEntries: 1_000 },
      ...{ releases: { folder: build.releasesDir }, retention: DEFAULT_RETENTION },
    },
    rules: () => [],
    ...{ folder, origin: ORIGIN, stores: { publishers }, releases, copies: null, audit, seal, now },
    refreshPreview: async () => {},
    inspectIndex: async () => null,
  })
  const provider = testProvider({ keys: issuer.keys, exchange, now })
  return {
    ...{ folder, publishers },
    state,
    now,
    issuer,
    seal,
    sessions,
    grants,
    audit,
    sumUpRefused,
    releases,
    publishing,
    provider,
    acknowledgements,
  }
}

/** The portal's gate over them. */
function createGateOf(
  services: TestServices,
  { agentRules, fetchDocument, ...changes }: TestGateChanges & Pick<PortalParts, 'observe' | 'log'>,
): Gate {
  const { state, seal, sessions, grants, provider, now } = services
  const releases = changes.releases ?? services.releases
  const audit = changes.audit ?? services.audit
  const cookies = createSessionCookies(ORIGIN, 36_000)
  const shared = { origin: ORIGIN, grants, sessions, cookies, releases, seal, now }
  const site = { title: 'Sekisho', tagline: '技術ドキュメントポータル' }
  const agentsSignIn = createAgentsSignInRoutes({
    ...{ ...shared, audit },
    rules: agentRules ?? { own: new Map(), allowed: null },
    registrationLimit: createRateLimit({ ...REGISTRATION_LIMIT, now }),
    fetchDocument: fetchDocument ?? (async () => null),
  })
  return createPortalGate({
    ...shared,
    placeOf: readPlaces(['本社=192.0.2.0/24'], []),
    timeZone: 'Asia/Tokyo',
    loginPage: createLoginPage({
      ...{
        lang: 'ja',
        localeOf: services.releases.localeOf,
        site,
        origin: ORIGIN,
        providers: [provider.login],
      },
      bundle: BUNDLE,
    }),
    loginBundle: BUNDLE,
    providers: [provider],
    policy: () => state.policy,
    ownAgents: createOwnAgents({ ...shared, audit, hasPersonalTokens: true }),
    acknowledgements: services.acknowledgements,
    contentPolicy: createContentPolicy([]),
    health: () => 'ok',
    feedbackLog: { keeps: false, write: () => 0, flush: async () => {} },
    audit,
    accountLimit: createRateLimit({ ...ACCOUNT_LIMIT, now }),
    publishers: services.publishers,
    whatsNew: null,
    watches: null,
    ownedPages: null,
    keptRecords: KEPT_RECORDS,
    signIns: watchSignIns({ log: changes.log, metrics: { countSignInFailure() {} }, now }),
    ...changes,
    endpoints: [services.publishing.routes, agentsSignIn, ...(changes.endpoints ?? [])],
  })
}

/** An access token, as a client gets one once its reader has consented. */
export async function letIn(sessions: Sessions, grants: Grants, key: SessionKey): Promise<string> {
  const session = await sessions.find(key, { touch: false })
  const offline = await sessions.createOfflineSession(key)
  if (session === null || offline.kind !== 'offline') throw new Error('nobody is signed in')
  const who = { session: offline.key, account: session }
  const made = await grants.begin({ ...who, client: 'test-client', name: 'Test Agent', binding: '' })
  const redeemed = made === null ? null : await grants.redeem(made.code, () => true)
  if (redeemed?.kind !== 'issued') throw new Error(`the code was ${redeemed?.kind}`)
  return redeemed.access
}

/** The provider of a test: tokens of the test issuer, with no page of its own. */
export function testProvider(
  options: Pick<AssertionsOptions, 'keys' | 'exchange' | 'now'>,
): IdentityProvider {
  return {
    issuer: ISSUER,
    login: firebaseLogin({ apiKey: 'key', authDomain: ORIGIN.host, projectId: PROJECT }),
    routes: () => new Map(),
    ...createAssertions({ issuer: ISSUER, audience: PROJECT, ...options }),
  }
}

/** Cookies that a browser would send back. */
export function cookieHeaderOf(response: GateResponse): string {
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  return cookies.join('; ')
}

/** Status and problem code of an answer. */
export async function answerOf(response: GateResponse): Promise<readonly [status: number, code: unknown]> {
  return [response.status, (await readObject(response)).code]
}

/** The JSON object an answer holds. */
export async function readObject(response: GateResponse): Promise<Record<string, unknown>> {
  const value: unknown = await response.json()
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
