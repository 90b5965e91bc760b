import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { PATHS } from '@sekisho/contract/paths'
import { ROUTES } from '@sekisho/contract/routes'
import { openPreviewStore, publishRelease, releasesDirOf } from '@sekisho/release'
import { findFreePort } from '@sekisho/server/state/testing'
import { runAudit } from '../../packages/sekisho/src/commands/state/audit.ts'
import { askHost, handOver, previewHost } from '../../packages/sekisho/test/support/hand-over.ts'
import { type ServingGate, startServingGate } from '../../packages/sekisho/test/support/serving-gate.ts'
import { ISSUER_FETCH, migrate, startCluster } from '../cluster/cluster.ts'
import { type ClusterReleases, makeReleases, SECRET_SENTENCE } from '../cluster/cluster-releases.ts'
import { type Issuer, startIssuer } from '../cluster/issuer.ts'
import { type Events, judge } from '../cluster/judge.ts'
import { type Kept, readTrail, runCommand } from '../cluster/operator.ts'
import { ask, type Observation, read, signIn } from '../cluster/readers.ts'
import type { Outcome } from '../cluster/trials/outcome.ts'

export interface Versions {
  /** `sekisho.mjs` of the installations. */
  readonly previous: string
  readonly next: string
  /** Time that each version serves between two changes. */
  readonly seconds: number
}

const SESSIONS = 200
const AGENTS = 10
const STAFF_PAGE = '/docs/staff'
const READERS = 12
const PER_SECOND = 30

/** A portal under trial, with what its people hold. */
interface Portal {
  readonly port: number
  readonly issuer: Issuer
  readonly releases: ClusterReleases
  readonly kept: Kept
  /** Replaces every gate by those of an installation. */
  replace(sekisho: string, events: RunningEvents): Promise<void>
  /** Ends every gate. */
  stop(): Promise<void>
  /** Logs of every process so far. */
  log(): string
}

type RunningEvents = Events & { readonly stops: { gate: string | null; fromMs: number; byMs: number }[] }

/** One gate on a folder: it is away for as long as it takes to start. */
export async function upgradeFolder(versions: Versions): Promise<Outcome> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'sekisho-upgrade-'))
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  const issuer = cleanup.use(await startIssuer())
  const shared = join(folder, 'releases')
  const releases = await makeReleases(folder, {
    store: { place: { folder: shared }, env: { SEKISHO_RELEASES: shared } },
    ...(await siteOf(versions)),
  })
  const port = await findFreePort()
  const dataDir = join(folder, 'data')
  const env = { ...releases.env, CLUSTER_ISSUER: issuer.url, ...(await writePolicy(folder)) }
  let running: ServingGate | null = null
  const started: ServingGate[] = []
  const start = async (sekisho: string) => {
    running = await startServingGate({
      ...{ dataDir, env, port, sekisho },
      nodeArgs: ['--import', ISSUER_FETCH],
    })
    started.push(running)
  }
  const stop = async () => {
    const child = running?.child
    running = null
    if (child === undefined || child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  cleanup.defer(stop)
  await start(versions.previous)
  return await runUpgrade(versions, {
    ...{ port, issuer, releases, stop },
    log: () => started.map((gate) => gate.output()).join(''),
    kept: { operatorEnv: { SEKISHO_DATA_DIR: dataDir }, folder: dataDir },
    async replace(sekisho, { stops }) {
      const fromMs = performance.now()
      await stop()
      await start(sekisho)
      stops.push({ gate: null, fromMs, byMs: performance.now() })
    },
  })
}

/** Three gates behind a balancer, replaced one after the other once the schema is migrated. */
export async function upgradeCluster(versions: Versions): Promise<Outcome> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'sekisho-upgrade-'))
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  const cluster = cleanup.use(
    await startCluster({
      ...{ gates: 3, sekisho: versions.previous },
      // Under its earlier name, which both versions understand.
      env: { ...(await writePolicy(folder)), SEKISHO_REPROOF_INTERVAL: '5s' },
      ...(await siteOf(versions)),
    }),
  )
  const { gates, balancerPort: port, issuer, releases, operatorEnv, gateRole } = cluster
  return await runUpgrade(versions, {
    ...{ port, issuer, releases, kept: cluster },
    log: () => gates.map((gate) => gate.log()).join(''),
    async stop() {
      for (const gate of gates) await gate.stop()
    },
    async replace(sekisho, { stops }) {
      if (sekisho === versions.next) await migrate({ env: operatorEnv, role: gateRole, cwd: folder, sekisho })
      for (const gate of gates) {
        const fromMs = performance.now()
        await gate.stop()
        await gate.start(sekisho)
        stops.push({ gate: gate.name, fromMs, byMs: performance.now() })
      }
    },
  })
}

/**
 * A site packed by the earlier version, whose releases the next one serves too; the other way round they are rejected.
 * Readers read each page once, so that its line in the trail can be found.
 */
async function siteOf({ previous, seconds }: Versions) {
  const { packRelease: pack } = await packerOf(previous)
  const changes = 12 // seconds that replacing three gates takes, on a slow machine
  const pages = Math.ceil((PER_SECOND * (3 * seconds + 2 * changes * 3)) / READERS)
  return { pack, pages, texts: ['初版'], staffPage: STAFF_PAGE, largeBytes: 0 }
}

function packerOf(sekisho: string): Promise<typeof import('@sekisho/release/packing')> {
  return import(new URL('../../release/src/packing/index.ts', pathToFileURL(sekisho)).href)
}

async function writePolicy(folder: string): Promise<Readonly<Record<string, string>>> {
  const file = join(folder, 'policy.json')
  const policy = { domains: ['example.co.jp'], groups: { staff: ['holder-0@example.co.jp'] } }
  await writeFile(file, JSON.stringify(policy))
  return { SEKISHO_POLICY_FILE: file, SEKISHO_ALLOWED_DOMAINS: '' }
}

async function runUpgrade(versions: Versions, portal: Portal): Promise<Outcome> {
  const { port, issuer, releases, kept } = portal
  const events: RunningEvents = {
    ...{ kills: [], stops: [], lost: [], outages: [], disabled: new Map() },
    publications: [{ id: releases.ids[0] ?? '', fromMs: 0, byMs: 0 }],
  }
  const problems: string[] = []
  const seen: Observation[] = []
  const cookies = await signInMany(port, issuer)
  const tokens = await makeTokens(port, cookies)
  const previews = await openPreviews(versions, portal, cookies)
  const ending = new AbortController()
  const reading = read({
    ...{ count: READERS, perSecond: PER_SECOND, port, issuer, pages: releases.pages, signal: ending.signal },
    // An edition's answers name it after the release.
    observe: (one) => void seen.push({ ...one, release: one.release?.replace(/-everyone$/, '') ?? null }),
  })
  const answers: string[] = []
  const phases = [versions.previous, versions.next, versions.previous] as const
  for (const [index, sekisho] of phases.entries()) {
    if (index > 0) await portal.replace(sekisho, events)
    await sleep(versions.seconds * 1_000)
    problems.push(...(await findLost(port, cookies, tokens)).map((one) => `version ${index + 1}: ${one}`))
    for (const preview of previews) {
      const answer = await lookAt(preview, portal)
      answers.push(`${index + 1}: ${preview.name} ${answer}`)
      const isRight = answer === 'served' || (answer === 'refused' && preview.packedBy !== sekisho)
      if (!isRight) problems.push(`version ${index + 1}: the preview ${preview.name} was ${answer}`)
    }
  }
  ending.abort()
  await reading
  await portal.stop()
  const judged = judge(seen, events, releases, await readTrail(kept))
  const verified = await runCommand(runAudit, ['verify'], kept)
  if (verified.code !== 0) problems.push(...verified.said)
  problems.push(...judged.wrong, ...judged.lostSessions, ...judged.lostLines, ...judged.refusals.other)
  return {
    rows: [
      ['requests, by readers alone', seen.length, ''],
      ['sessions and tokens of agents, asked for in each version', `${cookies.length}, ${tokens.length}`, ''],
      ['previews, by version that serves', answers.join('; '), 'served, or refused with a reason'],
      ['sign-outs', judged.lostSessions.length, '0'],
      ['lost lines of the audit trail', judged.lostLines.length, '0'],
      ['wrong answers', judged.wrong.length, '0'],
      ['`audit verify`', verified.code === 0 ? 'unaltered' : 'DAMAGED', 'unaltered'],
      ['refusals while a gate was replaced', judged.refusals.gateDown, ''],
      ['other refusals', judged.refusals.other.length, '0'],
      ['reasons in the logs', readReasons(portal.log()), ''],
      [
        'sessions, tokens, editions that did not hold',
        problems.filter((one) => one.startsWith('version')).length,
        '0',
      ],
    ],
    problems,
  }
}

function readReasons(log: string): string {
  const reasons = [...log.matchAll(/"(?:reason|message)":"([^"]{1,100})/g)].map(([, reason]) => reason)
  return [...new Set(reasons)].join('; ')
}

async function signInMany(port: number, issuer: Issuer): Promise<readonly string[]> {
  const cookies: string[] = []
  for (let index = 0; index < SESSIONS; index += 1) {
    const { cookie, status } = await signIn(issuer, port, `holder-${index}@example.co.jp`)
    if (cookie === null) throw new Error(`sign-in ${index} was answered with ${status}`)
    cookies.push(cookie)
  }
  return cookies
}

/** Personal tokens of the last sessions, whose cookies are renewed thereby. */
async function makeTokens(port: number, cookies: readonly string[]): Promise<readonly string[]> {
  const tokens: string[] = []
  for (const cookie of cookies.slice(-AGENTS)) {
    const answer = await ask({
      ...{ port, path: ROUTES.account.path, method: 'POST', cookie },
      body: new URLSearchParams({ action: 'make-token', name: 'CI', days: '30' }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    const [token] = /sekisho_personal_[\w-]{43}/.exec(answer.body.toString()) ?? []
    if (token === undefined) throw new Error(`no token was made: ${answer.status}`)
    tokens.push(token)
  }
  return tokens
}

interface UpgradedPreview {
  readonly name: string
  /** `sekisho.mjs` of the installation that packed it. */
  readonly packedBy: string
  /** Session of its reader. */
  readonly cookie: string
}

/** A preview packed by each version, and a reader handed over to it by the earlier one. */
async function openPreviews(
  { previous, next }: Versions,
  { port, releases }: Portal,
  cookies: readonly string[],
): Promise<readonly UpgradedPreview[]> {
  const store = openPreviewStore({ folder: releases.env.SEKISHO_RELEASES ?? '' })
  const packed = [
    ['by-previous', previous],
    ['by-next', next],
  ] as const
  for (const [name, sekisho] of packed) {
    const dataDir = join(releases.dataDir, name)
    const { packRelease } = await packerOf(sekisho)
    const { id } = await packRelease({ buildDir: releases.buildDir, dataDir, clock: Date.now })
    const description = { name, branch: 'topic', commit: 'abcdef01', createdAtMs: Date.now() }
    await store.describe({ ...description, expiresAtMs: Date.now() + 86_400_000 })
    const target = store.open(name)
    await publishRelease(
      { releasesDir: releasesDirOf(dataDir), id, from: await target.readPointer() },
      target,
    )
  }
  await sleep(2_000) // every gate has listed them
  return Promise.all(
    packed.map(async ([name, packedBy]) => {
      return { name, packedBy, cookie: await handOver(port, name, cookies[0] ?? '') }
    }),
  )
}

/** `refused` where the log of the gates has its reason. */
async function lookAt({ name, cookie }: UpgradedPreview, { port, log }: Portal): Promise<string> {
  const { status, text } = await askHost(port, previewHost(name), '/', { Cookie: cookie })
  if (status === 200) return text.includes(SECRET_SENTENCE) ? 'served' : 'served as another page'
  const hasReason = log()
    .split('\n')
    .some((line) => line.includes('"preview_refused"') && line.includes(name))
  return hasReason ? 'refused' : `answered with ${status}`
}

/** Sessions, tokens and editions that a version does not know as they are, each a sentence. */
async function findLost(
  port: number,
  cookies: readonly string[],
  tokens: readonly string[],
): Promise<readonly string[]> {
  const lost: string[] = []
  for (const [index, cookie] of cookies.slice(0, -AGENTS).entries()) {
    const { status } = await ask({ port, path: PATHS.session, cookie })
    if (status !== 200) lost.push(`session ${index}: ${status}`)
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  for (const [index, token] of tokens.entries()) {
    const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json, text/event-stream' }
    const { status } = await ask({ port, path: '/mcp', method: 'POST', body, headers })
    if (status !== 200) lost.push(`token ${index}: ${status}`)
  }
  const editions = [
    [cookies[0], 200],
    [cookies[1], 404],
  ] as const
  for (const [cookie = '', wanted] of editions) {
    const { status } = await ask({ port, path: STAFF_PAGE, cookie })
    if (status !== wanted) lost.push(`a page of an edition: ${status} in place of ${wanted}`)
  }
  return lost
}
