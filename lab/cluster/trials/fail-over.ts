import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PATHS } from '@sekisho/contract/paths'
import {
  findReplication,
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from '@sekisho/server/state/testing'
import { runAudit } from '../../../packages/sekisho/src/commands/state/audit.ts'
import { runSessions } from '../../../packages/sekisho/src/commands/state/sessions.ts'
import { startServingGate } from '../../../packages/sekisho/test/support/serving-gate.ts'
import { type Cluster, type ClusterGate, startCluster } from '../cluster.ts'
import { idAt } from '../cluster-releases.ts'
import { judge } from '../judge.ts'
import { readAuditLines, readTrail, runCommand } from '../operator.ts'
import { ask, type Observation, read, signIn } from '../readers.ts'
import type { Recorded } from './failing.ts'
import type { Outcome, Row } from './outcome.ts'

interface FailOverOptions {
  readonly perSecond: number
  readonly readers: number
}

/** Sessions of others in the same database. */
const SESSIONS = 200_000
/** For so long the standby receives nothing before it is promoted. */
const LOST_MS = 4_000
const BACK_LIMIT_MS = 5_000
/** For so long one gate is stopped. */
const STOPPED_MS = 20_000
/** So long a commit waits, again and again, as on a slow disk. */
const COMMIT_MS = 1_200
const SLOW_MS = 15_000

/** Actions and observations of the trial, apart from the readers'. */
interface Noted {
  readonly events: Recorded
  readonly rows: Row[]
  readonly problems: string[]
}

/** Missing programs for the trial. */
export function findMissingForFailOver(): readonly string[] {
  return findReplication() === null ? ['pg_basebackup is missing: apt-get install postgresql'] : []
}

/**
 * Three gates on a primary with an asynchronous standby and 200,000 sessions: syncs are slow, one gate is stopped and goes on, and then the
 * standby, which has received nothing for four seconds, takes the primary's place.
 */
export async function runFailOver({ perSecond, readers }: FailOverOptions): Promise<Outcome> {
  const programs = findReplication()
  if (programs === null) throw new Error('asked for before it runs')
  await using postgres = await startReplicatedPostgres(programs)
  await using cluster = await startCluster({
    ...{ gates: 3, pages: Math.ceil((perSecond * 120) / readers), postgres },
    reach: (url) => ({ SEKISHO_DATABASE_URL: postgres.withStandby(url) }),
  })
  const { issuer, releases, balancerPort: port, gates } = cluster
  await fillWithSessions(cluster)
  const seen: Observation[] = []
  const events: Recorded = {
    ...{ publications: [{ id: idAt(releases.ids, 0), fromMs: 0, byMs: 0 }], kills: [], disabled: new Map() },
    ...{ stops: [], lost: [], outages: [] },
  }
  const noted: Noted = { events, rows: [], problems: [] }
  const ending = new AbortController()
  const reading = read({
    ...{ count: readers, perSecond, port, issuer, pages: releases.pages, signal: ending.signal },
    observe: (one) => void seen.push(one),
  })
  await sleep(5_000)
  await tryOtherSecret(cluster, noted)
  await slowSyncs(postgres, seen, noted)
  await stopGate(cluster, noted)
  await loseSeconds(cluster, postgres, noted)
  await sleep(5_000)
  ending.abort()
  await reading
  for (const gate of gates) {
    const said = gate.crash()
    if (said !== null) noted.problems.push(`${gate.name} ended by itself: ${said.slice(-1_000)}`)
    await gate.stop()
  }
  return await report(cluster, seen, noted) // before anything is let go of
}

function say(what: string): void {
  console.log(`${(performance.now() / 1_000).toFixed(2).padStart(7)} s  ${what}`)
}

async function fillWithSessions({ runSql }: Cluster): Promise<void> {
  say(`${SESSIONS} sessions of others`)
  await runSql(`
    INSERT INTO sekisho.sessions (context, key, id, issuer, sub, email, device, address, started_at, last_seen_at, proven_at, refresh)
    SELECT (SELECT min(id) FROM sekisho.contexts), 'filled ' || n, 'filled ' || n, 'https://issuer.test', 'sub ' || n,
      'filled-' || n || '@example.co.jp', '', '', now_ms, now_ms, now_ms, ''
    FROM generate_series(1, ${SESSIONS}) AS n, (SELECT (extract(epoch FROM now()) * 1000)::bigint AS now_ms) AS clock`)
}

/** Starts a gate with another secret by mistake: it must refuse to start and end no session. */
async function tryOtherSecret({ folder, operatorEnv }: Cluster, { rows, problems }: Noted): Promise<void> {
  say('a gate with another secret is started')
  const env = { ...operatorEnv, SEKISHO_SECRET: randomBytes(33).toString('base64') }
  const started = startServingGate({ dataDir: join(folder, 'other-secret'), env })
  const said = await started.then(
    (gate) => gate[Symbol.asyncDispose]().then(() => 'it started'),
    (error) => String(error),
  )
  const isRefused = /SEKISHO_SECRET/.test(said)
  rows.push([
    'a gate with another secret',
    isRefused ? 'does not start, and says why' : 'STARTED',
    'does not start',
  ])
  if (!isRefused) problems.push(`a gate with another secret: ${said}`)
}

/** Commits wait for 1.2 s at a time, as behind a disk whose syncs take so long. */
async function slowSyncs(postgres: ReplicatedPostgres, seen: readonly Observation[], { rows }: Noted) {
  say(`commits wait for ${COMMIT_MS} ms at a time`)
  const fromMs = performance.now()
  while (performance.now() < fromMs + SLOW_MS) {
    await postgres.holdCommits(true)
    await sleep(COMMIT_MS)
    await postgres.holdCommits(false)
    await sleep(50)
  }
  const during = seen.filter(({ beganMs, endedMs }) => beganMs > fromMs && endedMs < fromMs + SLOW_MS)
  const pages = during.filter(({ asking }) => asking === 'page')
  const served = pages.filter(({ status }) => status === 200).length
  const signIns = during.filter(({ asking }) => asking === 'sign-in')
  const signedIn = signIns.filter(({ status }) => status === 204).length
  rows.push([
    `pages served, sign-ins, while commits wait for ${COMMIT_MS / 1_000} s`,
    `${served} of ${pages.length}, ${signedIn} of ${signIns.length}`,
    'all',
  ])
}

/** SIGSTOP and SIGCONT: waiting requests are refused, and a session that ended meanwhile is over. */
async function stopGate({ gates, issuer }: Cluster, { events, rows, problems }: Noted): Promise<void> {
  const [first, second] = gates
  if (first === undefined || second === undefined) throw new Error('too few gates')
  const cookies = await Promise.all(
    ['waits', 'leaves'].map(
      async (name) => (await signIn(issuer, second.port, `${name}@example.co.jp`)).cookie ?? '',
    ),
  )
  const [waits = '', leaves = ''] = cookies
  for (const cookie of cookies) await ask({ port: first.port, path: PATHS.session, cookie })
  say(`${first.name} is stopped for ${STOPPED_MS / 1_000} s`)
  const fromMs = performance.now()
  process.kill(first.pid(), 'SIGSTOP')
  await ask({ port: second.port, path: PATHS.session, method: 'DELETE', cookie: leaves })
  await sleep(STOPPED_MS - 5_000)
  const waiting = [waits, leaves, waits, leaves].map((cookie) => ask({ port: first.port, path: '/', cookie }))
  await sleep(5_000)
  process.kill(first.pid(), 'SIGCONT')
  const statuses = (await Promise.all(waiting)).map(({ status }) => status)
  events.stops.push({ gate: first.name, fromMs, byMs: performance.now() })
  rows.push(['requests that waited for a gate that was stopped for 20 s', statuses.join(', '), '503'])
  if (statuses.some((status) => status !== 503))
    problems.push(`a stopped gate answered ${statuses.join(', ')}`)
  await sleep(6_000)
}

/** Signs out, revokes and signs in within the seconds that the standby does not get. */
async function loseSeconds(
  cluster: Cluster,
  postgres: ReplicatedPostgres,
  { events, rows, problems }: Noted,
) {
  const { gates, issuer } = cluster
  const [first] = gates
  if (first === undefined) throw new Error('too few gates')
  const enter = async (name: string) =>
    (await signIn(issuer, first.port, `${name}@example.co.jp`)).cookie ?? ''
  const [stays, leaves, revoked] = [await enter('stays'), await enter('goes'), await enter('is-revoked')]
  const statusAt = async (gate: ClusterGate, cookie: string) =>
    (await ask({ port: gate.port, path: PATHS.session, cookie })).status
  for (const gate of gates) for (const cookie of [stays, leaves, revoked]) await statusAt(gate, cookie)
  await sleep(1_000)
  say('the standby receives nothing more')
  const fromMs = performance.now()
  await postgres.keepStandby()
  await ask({ port: first.port, path: PATHS.session, method: 'DELETE', cookie: leaves })
  const { code, said } = await runCommand(
    runSessions,
    ['revoke', '--user', 'is-revoked@example.co.jp'],
    cluster,
  )
  if (code !== 0) problems.push(`sessions revoke: ${said.join(' ')}`)
  const late = await enter('late')
  await sleep(Math.max(1_500, fromMs + LOST_MS - performance.now()))
  const watching = new AbortController()
  const watched = Promise.all(
    gates.map(async (gate) => {
      while (!watching.signal.aborted) {
        for (const [name, cookie] of [
          ['a sign-out', leaves],
          ['a revocation', revoked],
        ] as const)
          if ((await statusAt(gate, cookie)) === 200)
            problems.push(`${gate.name} served after ${name} that was lost`)
        await sleep(5)
      }
    }),
  )
  say('the primary ends, the standby takes its place')
  const endedMs = performance.now()
  await postgres.failOver()
  const promotedMs = performance.now()
  events.lost.push({ fromMs, byMs: promotedMs })
  const back = await Promise.all(
    gates.map(async (gate) => {
      while ((await statusAt(gate, stays)) !== 200) {
        if (performance.now() > promotedMs + 60_000) return Number.POSITIVE_INFINITY
        await sleep(20)
      }
      return performance.now() - promotedMs
    }),
  )
  events.outages.push({ gate: null, fromMs: endedMs, byMs: promotedMs })
  const backMs = Math.max(...back)
  rows.push([
    'a fail-over that lost four seconds: every gate goes on by itself',
    `${Math.round(backMs)} ms`,
    `≤ ${BACK_LIMIT_MS / 1_000} s`,
  ])
  if (backMs > BACK_LIMIT_MS) problems.push(`a gate needed ${Math.round(backMs)} ms after the fail-over`)
  await sleep(8_000)
  watching.abort()
  await watched
  const lateStatus = await statusAt(first, late)
  if (lateStatus !== 401) problems.push(`who signed in within the lost seconds was answered ${lateStatus}`)
}

async function report(
  cluster: Cluster,
  seen: readonly Observation[],
  { events, rows, problems }: Noted,
): Promise<Outcome> {
  const judged = judge(seen, events, cluster.releases, await readTrail(cluster))
  const { wrong, lostSessions, signedInAgain, lostLines, refusals } = judged
  const verified = await runCommand(runAudit, ['verify'], cluster)
  let rewritten = 0
  let endedAgain = 0
  for await (const { event, by, rewritten: lines } of readAuditLines(cluster)) {
    if (event === 'lines_missing' && typeof lines === 'number') rewritten += lines
    if (event === 'session_revoked' && by === 'fail-over') endedAgain += 1
  }
  if (rewritten === 0) problems.push('no line was lost, so nothing was tried')
  if (endedAgain < 2)
    problems.push(`${endedAgain} sessions were ended again, not the two that were lost at least`)
  if (verified.code !== 0) problems.push(...verified.said)
  const pages = seen.filter(({ asking, status }) => asking === 'page' && status === 200).length
  return {
    rows: [
      [
        'with 200,000 sessions, a wrong secret, slow commits, a stopped gate and a fail-over: requests, pages',
        `${seen.length}, ${pages}`,
        '',
      ],
      ['wrong answers', wrong.length, '0'],
      ...rows,
      ['lines that were lost, all of them written again and marked', rewritten, 'said by the trail'],
      ['sessions whose end was lost, ended again', endedAgain, '≥ 2'],
      ['readers who signed in within the lost seconds and do so again', signedInAgain, ''],
      ['other lost sessions, lost audit lines', `${lostSessions.length}, ${lostLines.length}`, '0, 0'],
      ['`audit verify` after it', verified.code === 0 ? 'unaltered' : 'DAMAGED', 'unaltered'],
      [
        'refusals while the database was away, while a gate was stopped',
        `${refusals.away}, ${refusals.gateDown}`,
        'closed, never open',
      ],
      ['other refusals', refusals.other.length, '0'],
    ],
    problems: [
      ...problems,
      ...wrong,
      ...lostSessions.map((one) => `${one}: a session was lost`),
      ...lostLines.map((one) => `${one}: has no line in the audit trail`),
      ...refusals.other,
    ],
  }
}
