import { randomBytes } from 'node:crypto'
import { cookieNames } from '@sekisho/contract/cookies'
import { readGrants } from '@sekisho/contract/grants'
import { LANGUAGES } from '@sekisho/contract/language'
import { DEFAULT_RETENTION } from '@sekisho/release'
import { readPolicy, sessionContextOf, startGate } from '@sekisho/server'
import { readAddressBlocks } from '@sekisho/server/client-address'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { createGrants, type Grants } from '@sekisho/server/grants'
import { createLogOutput } from '@sekisho/server/log-output'
import {
  createSeal,
  createSessions,
  type SessionKey,
  type Sessions,
  sessionKeyOf,
} from '@sekisho/server/sessions'
import type { GateConfig } from '@sekisho/server/settings'
import { openSqliteSessions } from '@sekisho/server/sqlite-sessions'

const HOUR_MS = 3_600_000
const LIMITS = {
  idleMs: HOUR_MS,
  absoluteMs: HOUR_MS,
  revalidationIntervalMs: HOUR_MS,
  revalidationGraceMs: HOUR_MS,
}
/** Known before the gate listens, because the reader's session belongs to it. */
const ORIGIN = new URL('http://verify.sekisho.invalid')

/** The one reader there is; a name that no answer holds by chance. */
const READER = {
  issuer: 'verify',
  sid: null,
  vouched: { address: true, groups: [], hasAllGroups: true },
  sub: 'verify',
  email: 'reader-of-verify@sekisho.invalid',
  name: 'verify の読み手',
}

/** A reader of one edition: in the groups that are its audiences, and in no other. */
const readerOf = (name: string) => ({
  ...READER,
  sub: `verify ${name}`,
  email: `reader-of-${name}@sekisho.invalid`,
})

/** Groups for all audiences: of each the readers of the editions that are for it, and the reader of everything. */
function groupsOf(editions: readonly OwnEdition[]): Record<string, readonly string[]> {
  const audiences = [...new Set(editions.flatMap((edition) => edition.audiences))]
  const groups = audiences.map((audience) => {
    const members = editions.filter((edition) => edition.audiences.includes(audience))
    return [audience, [READER.email, ...members.map(({ name }) => readerOf(name).email)]]
  })
  return Object.fromEntries(groups)
}

interface OwnEdition {
  readonly name: string
  readonly audiences: readonly string[]
}

interface OwnGateSettings {
  readonly dataDir: string
  readonly secret: string
  readonly site: GateConfig['site']
  readonly language: string
  readonly grants: GateConfig['grants']
  readonly editions: readonly OwnEdition[]
}

/**
 * Settings of verify's own gate without a URL: the product's `startGate` on a free loopback port, without identity service, so only
 * sessions put into its store count. Runs in its own process, for the second core.
 */
function ownConfig({ dataDir, secret, site, language, grants, editions }: OwnGateSettings): GateConfig {
  const emails = [READER, ...editions.map(({ name }) => readerOf(name))].map(({ email }) => email)
  return {
    mode: 'local',
    renamed: [],
    origin: ORIGIN,
    listen: { host: '127.0.0.1', port: 0 },
    dataDir,
    releases: null,
    retention: DEFAULT_RETENTION,
    publishing: { rulesFile: null, maxBytes: 0, maxEntries: 0 },
    site,
    loginLanguage: LANGUAGES.find((known) => known === language) ?? 'ja',
    identity: { providers: [], broken: [], owner: { issuer: 'verify', projectId: '' }, problems: [] },
    access: { policy: readPolicy([], emails, groupsOf(editions)).policy },
    policyKeepMs: 0,
    grants,
    agents: { rules: { own: new Map(), allowed: null }, hasPersonalTokens: true },
    sessions: LIMITS,
    timeZone: 'Asia/Tokyo',
    placeOf: () => null,
    trustedProxies: readAddressBlocks([], []),
    keepAliveMs: 65_000,
    stopWithinMs: 20_000,
    databaseUrl: null,
    databaseListenUrl: null,
    secret,
    previousSecret: null,
    embeddings: null,
    answers: null,
    notices: null,
    searchLogDays: 0,
    feedbackDays: 0,
    hasReadership: true,
    hasWhatsNew: true,
    auditKeepMs: 86_400_000,
    metrics: null,
    logLevel: 'error',
    risks: [],
  }
}

/** One session to read with, one that is ended by itself, and two that are ended together. */
const SESSIONS = 4

/** Signs readers in as sign-ins would have, and returns a Cookie header for each session, in their order. */
async function signIn(
  config: GateConfig,
  secret: string,
  identities: readonly (typeof READER)[],
): Promise<{ readonly cookies: readonly string[]; readonly tokens: readonly string[] }> {
  const store = openSqliteSessions(dataFolderAt(config.dataDir).sessions, {
    context: sessionContextOf(config, ORIGIN),
  })
  try {
    const seal = createSeal(secret)
    const sessions = createSessions({ store, seal, limits: LIMITS, now: Date.now })
    const grants = createGrants({ store: store.grants, seal, now: Date.now })
    const cookies: string[] = []
    const tokens: string[] = []
    const start = async (identity: typeof READER) => {
      const started = await sessions.start({
        identity,
        refreshToken: 'none',
        spent: { digest: randomBytes(32).toString('base64url'), expiresAtMs: Date.now() },
        device: '',
        address: '',
      })
      if (started.kind !== 'started') throw new Error(`the reader’s session was refused: ${started.kind}`)
      return started.token
    }
    const cookieOf = (token: string) => `${cookieNames(false).session}=${token}`
    for (const identity of identities.slice(0, SESSIONS)) cookies.push(cookieOf(await start(identity)))
    for (const identity of identities.slice(SESSIONS)) {
      const { browser, agent } = await letIn(sessions, grants, sessionKeyOf(await start(identity)))
      cookies.push(cookieOf(browser))
      tokens.push(`Bearer ${agent}`)
    }
    return { cookies, tokens }
  } finally {
    await store.close()
  }
}

/** Cookie and token of a reader's browser and client after consent. */
async function letIn(sessions: Sessions, grants: Grants, key: SessionKey) {
  const account = await sessions.find(key, { touch: false })
  const offline = await sessions.createOfflineSession(key)
  if (account === null || offline.kind !== 'offline' || offline.renewed === null)
    throw new Error('the reader is not signed in')
  const who = { session: offline.key, account }
  const made = await grants.begin({ ...who, client: 'verify', name: 'verify', binding: '' })
  const redeemed = made === null ? null : await grants.redeem(made.code, () => true)
  if (redeemed?.kind !== 'issued') throw new Error('the reader’s agent was refused')
  return { browser: offline.renewed.token, agent: redeemed.access }
}

process.on('SIGUSR1', () => {}) // opens no debugger, as in bin/sekisho.mjs

const [dataDir = '', language = '', granted = '', title = '', tagline = '', ...told] = process.argv.slice(2)
const editions = told.map((text): OwnEdition => {
  const [name = '', ...audiences] = text.split(',')
  return { name, audiences }
})
const secret = randomBytes(32).toString('base64url')
const grants = readGrants(granted, []) // as they were written by the command itself
const config = ownConfig({ dataDir, secret, site: { title, tagline }, language, grants, editions })
const readers = [
  ...Array<typeof READER>(SESSIONS).fill(READER),
  ...editions.map(({ name }) => readerOf(name)),
]
const { cookies, tokens } = await signIn(config, secret, readers)
const gate = await startGate(config, createLogOutput(process.stderr, { now: Date.now }))
process.once('disconnect', () => void gate.close().then(() => process.exit(0)))
process.send?.({
  port: gate.port,
  host: gate.origin.host,
  cookies: cookies.slice(0, SESSIONS),
  editions: editions.map(({ name }, index) => [name, cookies[SESSIONS + index], tokens[index]]),
})
