import { setTimeout as sleep } from 'node:timers/promises'
import { PATHS } from '@sekisho/contract/paths'
import { runReleases } from '../../../packages/sekisho/src/commands/releases/releases.ts'
import { runAudit } from '../../../packages/sekisho/src/commands/state/audit.ts'
import { type Cluster, type ClusterGate, startCluster } from '../cluster.ts'
import { idAt, publishDirectly } from '../cluster-releases.ts'
import { type Events, type Judgement, judge, RELEASE_LIMIT_MS } from '../judge.ts'
import { readTrail, runCommand } from '../operator.ts'
import { ask, type Observation, read, SIGN_OUT_LIMIT_MS, signIn } from '../readers.ts'
import type { Outcome, Row } from './outcome.ts'

interface TrialOptions {
  readonly seconds: number
  /** Requests a second of all readers together, at most. */
  readonly perSecond: number
  readonly readers: number
}

const REVALIDATION_INTERVAL_MS = 5_000
/** The outages of the script and, where the gate was killed that proves sessions, its lease of 30 s come on top of the interval. */
const DISABLED_LIMIT_MS = REVALIDATION_INTERVAL_MS + 40_000
/** Time for which every gate is requested after a sign-out. */
const PROBE_MS = 2_500
const PROBE_STEP_MS = 20
const MIN_PAUSE_MS = 3_000

export type Recorded = {
  [Name in keyof Events]: Events[Name] extends readonly (infer One)[] ? One[] : Map<string, number>
}

/** Runs the trial. */
export async function runTrial({ seconds, perSecond, readers }: TrialOptions): Promise<Outcome> {
  const pages = Math.ceil((perSecond * (seconds + 30)) / readers)
  await using cluster = await startCluster({
    ...{ gates: 3, pages },
    env: { SEKISHO_REVALIDATION_INTERVAL: `${REVALIDATION_INTERVAL_MS / 1_000}s` },
  })
  const { issuer, releases, balancerPort: port, gates } = cluster
  const seen: Observation[] = []
  const events: Recorded = {
    ...{ publications: [], kills: [], stops: [], lost: [], outages: [], disabled: new Map() },
  }
  events.publications.push({ id: idAt(releases.ids, 0), fromMs: 0, byMs: 0 })
  const ending = new AbortController()
  const reading = read({
    ...{ count: readers, perSecond, port, issuer, pages: releases.pages, signal: ending.signal },
    observe: (one) => void seen.push(one),
  })
  const signOutMs = await runScript(cluster, seconds, events)
  ending.abort()
  await reading
  const crashes = gates.flatMap(({ name, crash }) => {
    const said = crash()
    return said === null ? [] : [`${name} ended by itself: ${said.slice(-1_000)}`]
  })
  for (const gate of gates) await gate.stop()
  const verified = await runCommand(runAudit, ['verify'], cluster)
  const reasons = countReasons(gates, events)
  return report({
    ...{ seen, signOutMs, verified, events, crashes, reasons },
    judged: judge(seen, events, releases, await readTrail(cluster)),
  })
}

/** Reasons of refusals while everything was up, each with its count. */
function countReasons(gates: readonly ClusterGate[], { outages }: Recorded): readonly string[] {
  const isAway = (atMs: number) => outages.some(({ fromMs, byMs }) => atMs > fromMs && atMs < byMs + 3_000)
  const counts = new Map<string, number>()
  for (const { atMs, why } of gates.flatMap((gate) => gate.faults()))
    if (!isAway(atMs)) counts.set(why, (counts.get(why) ?? 0) + 1)
  return [...counts].map(([why, count]) => `${count} refusals: ${why}`)
}

/** Everything that happens to the cluster, in its order; resolves to the times that sign-outs took. */
async function runScript(cluster: Cluster, seconds: number, events: Recorded): Promise<readonly number[]> {
  const { gates, postgres, releases, issuer } = cluster
  const [first, second, third] = gates
  if (first === undefined || second === undefined || third === undefined) throw new Error('too few gates')
  const beganMs = performance.now()
  const at = async (part: number, what: string) => {
    // Whatever was away is back for some seconds first: a part of the cluster waits before it tries again.
    await sleep(Math.max(MIN_PAUSE_MS, beganMs + part * seconds * 1_000 - performance.now()))
    console.log(`${(performance.now() / 1_000).toFixed(2).padStart(7)} s  ${what}`)
  }
  const during = async (run: () => Promise<unknown>) => {
    const fromMs = performance.now()
    await run()
    return { fromMs, byMs: performance.now() }
  }
  const kill = async (gate: ClusterGate) => {
    events.kills.push({ gate: gate.name, atMs: performance.now() })
    await gate.kill()
    await sleep(3_000)
    await gate.start()
  }
  const disable = (emails: readonly string[]) => {
    for (const email of emails) {
      issuer.disable(email)
      events.disabled.set(email, performance.now())
    }
  }
  const signOutMs: number[] = []
  const probe = async (through: ClusterGate, beforeSignOut = async () => {}) => {
    signOutMs.push(
      await probeSignOut(cluster, {
        through,
        email: `prober-${signOutMs.length}@example.co.jp`,
        beforeSignOut,
      }),
    )
  }

  await at(0.1, 'somebody signs out')
  await probe(first)
  await at(0.16, 'the second release is published')
  events.publications.push({
    id: idAt(releases.ids, 1),
    ...(await during(() => publishDirectly(releases, 1))),
  })
  await at(0.22, 'two accounts are disabled')
  disable(['reader-0@example.co.jp', 'reader-1@example.co.jp'])
  await at(0.3, `${first.name} is killed, and two more accounts are disabled`)
  disable(['reader-2@example.co.jp', 'reader-3@example.co.jp'])
  await kill(first)
  await at(0.4, 'PostgreSQL is restarted (immediate)')
  await postgres.stop()
  events.outages.push({ gate: null, ...(await during(() => sleep(2_000))) })
  await postgres.start()
  await at(0.52, 'every gate is cut off from PostgreSQL for four seconds')
  await Promise.all(gates.map(({ line }) => line.change('refused')))
  events.outages.push({ gate: null, ...(await during(() => sleep(4_000))) })
  await Promise.all(gates.map(({ line }) => line.change('open')))
  await at(
    0.64,
    `${second.name} hears nothing from PostgreSQL for five seconds; somebody signs out elsewhere`,
  )
  let silentFromMs = 0
  await probe(third, async () => {
    await second.line.change('silent')
    silentFromMs = performance.now()
  })
  await sleep(2_500)
  events.outages.push({ gate: second.name, fromMs: silentFromMs, byMs: performance.now() })
  await second.line.change('open')
  await at(0.76, `${third.name} is killed; the first release is rolled back to`)
  const killing = kill(third)
  const rollback = async () => {
    const { code, said } = await runCommand(runReleases, ['rollback', idAt(releases.ids, 0)], cluster)
    if (code !== 0) throw new Error(said.join('\n'))
  }
  events.publications.push({ id: idAt(releases.ids, 0), ...(await during(rollback)) })
  await killing
  await at(0.9, 'somebody signs out')
  await probe(second)
  await at(1, 'the end')
  return signOutMs
}

/** Signs in, is known to every gate, signs out through one: until when another still let them in, in milliseconds after the answer. */
async function probeSignOut(
  { gates, issuer }: Cluster,
  {
    through,
    email,
    beforeSignOut,
  }: { through: ClusterGate; email: string; beforeSignOut: () => Promise<void> },
): Promise<number> {
  let cookie: string | null = null
  for (let tries = 0; cookie === null && tries < 20; tries += 1) {
    cookie = (await signIn(issuer, through.port, email)).cookie
    if (cookie === null) await sleep(250)
  }
  if (cookie === null) throw new Error('the one who is to sign out could not sign in')
  const isKnown = async ({ port }: ClusterGate) =>
    (await ask({ port, path: PATHS.session, cookie })).status === 200
  for (let tries = 0; (await Promise.all(gates.map(isKnown))).includes(false); tries += 1) {
    if (tries === 20) throw new Error('a gate does not know a session of another')
    await sleep(250) // a gate that was away asks again by and by
  }
  await beforeSignOut()
  const { status } = await ask({ port: through.port, path: PATHS.session, method: 'DELETE', cookie })
  if (status !== 204) throw new Error(`the sign-out was answered with ${status}`)
  const signedOutMs = performance.now()
  const last = await Promise.all(
    gates.map(async ({ port }) => {
      let lastMs = 0
      for (;;) {
        const askedMs = performance.now() - signedOutMs
        if (askedMs > PROBE_MS) return lastMs
        const answer = await ask({ port, path: PATHS.session, cookie })
        if (answer.status === 200) lastMs = askedMs
        await sleep(PROBE_STEP_MS)
      }
    }),
  )
  return Math.max(...last)
}

interface Findings {
  readonly seen: readonly Observation[]
  readonly judged: Judgement
  readonly signOutMs: readonly number[]
  readonly verified: { readonly code: number; readonly said: readonly string[] }
  readonly events: Events
  readonly crashes: readonly string[]
  readonly reasons: readonly string[]
}

function report({ seen, judged, signOutMs, verified, events, crashes, reasons }: Findings): Outcome {
  const { wrong, lostSessions, lostLines, lastBatchMs, releaseMs, disabledMs, refusals } = judged
  const served = (asking: Observation['asking'], status: number) =>
    seen.filter((one) => one.asking === asking && one.status === status).length
  const signOutMaxMs = Math.max(...signOutMs)
  const problems = [
    ...crashes,
    ...wrong,
    ...lostSessions.map((one) => `${one}: a session was lost`),
    ...lostLines.map((one) => `${one}: has no line in the audit trail`),
    ...refusals.other,
    ...(refusals.other.length > 0 ? reasons : []),
  ]
  const limit = (what: string, ms: number, maxMs: number) => {
    if (ms > maxMs) problems.push(`${what}: ${Math.round(ms)} ms, more than ${maxMs}`)
    return `${Math.round(ms)} ms`
  }
  const chains = verified.said.filter((line) => /: \d+ lines/.test(line))
  if (verified.code !== 0) problems.push(...verified.said)
  const rows: readonly Row[] = [
    ['requests', seen.length, ''],
    ['sign-ins, pages answered', `${served('sign-in', 204)}, ${served('page', 200)}`, ''],
    ['wrong answers', wrong.length, '0'],
    ['gates that ended by themselves', crashes.length, '0'],
    ['lost sessions', lostSessions.length, '0'],
    ['lost audit lines', lostLines.length, '0'],
    [
      `pages in the last batch of a killed gate (${events.kills.length} kills)`,
      lastBatchMs.length === 0
        ? 0
        : `${lastBatchMs.length}, of the last ${Math.round(Math.max(...lastBatchMs))} ms`,
      'of the last 2,000 ms',
    ],
    [
      '`audit verify`',
      `${verified.code === 0 ? 'unaltered' : 'DAMAGED'}, ${chains.length} chains`,
      'unaltered',
    ],
    ['a sign-out counts on every gate', limit('a sign-out', signOutMaxMs, SIGN_OUT_LIMIT_MS), '≤ 1 s'],
    ['a new release is served by every gate', limit('a new release', releaseMs, RELEASE_LIMIT_MS), '≤ 2 s'],
    [
      `a disabled account is out (proven every ${REVALIDATION_INTERVAL_MS / 1_000} s)`,
      limit('a disabled account', disabledMs, DISABLED_LIMIT_MS),
      `≤ ${DISABLED_LIMIT_MS / 1_000} s`,
    ],
    ['refusals while PostgreSQL was away', refusals.away, 'closed, never open'],
    ['the last of them after it was back', `${Math.round(refusals.afterMs)} ms`, ''],
    ['refusals while a gate was down', refusals.gateDown, ''],
    ['other refusals', refusals.other.length, '0'],
  ]
  return { rows, problems }
}
