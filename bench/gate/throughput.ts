import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRandom } from '../corpus/random.ts'
import { median } from '../report.ts'
import { HOST, startGate } from './gate-peer.ts'
import { type Asked, isWrkInstalled, type LoadResult, runLoad } from './load.ts'
import { isNginxInstalled, NGINX_COOKIE, startNginx } from './nginx-peer.ts'
import { type Peer, pinned, processorSeconds, start, stop } from './processes.ts'
import { packBenchRelease } from './release.ts'
import { MEASURED_PAGE, pagePath } from './site-build.ts'

interface ThroughputOptions {
  readonly cacheDir: string
  readonly pages?: number
  readonly rounds?: number
  readonly seconds?: number
  readonly connections?: number
}

/** Medians over the rounds of one server. */
export interface Throughput {
  readonly perSecond: number
  /** Requests for each second of processor time: what stays comparable on a machine that others use too. */
  readonly perProcessorSecond: number
  readonly p99Ms: number
}

/** Results of the gate and its peers under one load. */
export interface Comparison {
  readonly gate: Throughput
  readonly nginx: Throughput
  readonly authRequest: Throughput
  /** The gate against each peer, round by round, then the median. */
  readonly ratios: Readonly<
    Record<'nginx' | 'authRequest' | 'nginxByProcessor' | 'authRequestByProcessor', number>
  >
}

interface ThroughputReport {
  /** One reader asks for one page of 10 KB. */
  readonly onePage: Comparison
  /** Many readers ask for many pages over shared connections, as behind a proxy: nearly no two requests are alike. */
  readonly mixed: Comparison
  /** The mixed load beside ten connections without a session that send requests ahead without end. */
  readonly hostile: { readonly p99Ms: number; readonly p50Ms: number }
}

/** Both Node servers are compiled while they run: before some ten thousand requests they are half as fast. */
const WARM_UP_TURNS = 5
const HOSTILE = { connections: 10, readers: 4 }
const HOSTILE_CLIENTS = fileURLToPath(new URL('./hostile-clients.mjs', import.meta.url))
const MIXED = { readers: 50, pages: 200, requests: 5_000 }

type Name = 'gate' | 'nginx' | 'authRequest'
type Round = LoadResult & { readonly perProcessorSecond: number }
type Requests = Readonly<Record<Name, readonly Asked[]>>

/**
 * Measures, in turn and on one core: pages of a signed-in reader from the gate, the same files from plain nginx, and from nginx with
 * `auth_request`. Null where nginx or wrk is missing.
 */
export async function measureThroughput(options: ThroughputOptions): Promise<ThroughputReport | null> {
  if (!isNginxInstalled || !isWrkInstalled) return null
  const { cacheDir, pages = 5_000, rounds = 5, seconds = 4, connections = 32 } = options
  const release = await packBenchRelease(cacheDir, pages)
  await using gate = await startGate(release.dataDir, { readers: MIXED.readers })
  await using nginx = await startNginx(release.buildDir, 'plain')
  await using authRequest = await startNginx(release.buildDir, 'auth_request')
  const peers: Readonly<Record<Name, Peer>> = { gate, nginx, authRequest }

  const compare = (requests: Requests): Comparison => {
    const run = (name: Name): Round => {
      const { port, pids } = peers[name]
      const before = processorSeconds(pids)
      const result = runLoad({ port, requests: requests[name], seconds, connections, core: 1 })
      return { ...result, perProcessorSecond: result.requests / (processorSeconds(pids) - before) }
    }
    const turn = () => ({ gate: run('gate'), nginx: run('nginx'), authRequest: run('authRequest') })
    for (let warmUp = 0; warmUp < WARM_UP_TURNS; warmUp += 1) turn()
    return report(Array.from({ length: rounds }, turn))
  }
  const [cookie = ''] = gate.cookies
  const mixed = requestsFor(mixedReadings(gate.cookies, Math.min(pages - 1, MIXED.pages)))
  return {
    onePage: compare(requestsFor([{ path: MEASURED_PAGE.path, cookie }])),
    mixed: compare(mixed),
    hostile: await besideHostileClients(gate, mixed.gate, { rounds, seconds }),
  }
}

/** Effect of pipelining clients on readers: as few readers as a portal has at once, so that none waits for another. */
async function besideHostileClients(
  { port }: Peer,
  requests: readonly Asked[],
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
) {
  const args = [String(port), String(HOSTILE.connections), HOST, MEASURED_PAGE.path]
  const clients = start(pinned(1, [process.execPath, HOSTILE_CLIENTS, ...args]), {})
  try {
    const run = () => runLoad({ port, requests, seconds, connections: HOSTILE.readers, core: 1 })
    run()
    const results = Array.from({ length: rounds }, run)
    return {
      p50Ms: median(results.map(({ p50Ms }) => p50Ms)),
      p99Ms: median(results.map(({ p99Ms }) => p99Ms)),
    }
  } finally {
    await stop(clients)
  }
}

interface Reading {
  readonly path: string
  readonly cookie: string
}

/** Requests of each server for the same readings: nginx has folders, and one session behind its checker. */
function requestsFor(readings: readonly Reading[]): Requests {
  return {
    gate: readings.map(({ path, cookie }) => ({ path, headers: { Host: HOST, Cookie: cookie } })),
    nginx: readings.map(({ path }) => ({ path: `${path}/`, headers: {} })),
    authRequest: readings.map(({ path }) => ({ path: `${path}/`, headers: { Cookie: NGINX_COOKIE } })),
  }
}

function mixedReadings(cookies: readonly string[], pages: number): readonly Reading[] {
  const random = createRandom(7)
  return Array.from({ length: MIXED.requests }, () => ({
    path: pagePath(random.between(1, pages)),
    cookie: cookies[random.between(0, cookies.length - 1)] ?? '',
  }))
}

function report(rounds: readonly Readonly<Record<Name, Round>>[]): Comparison {
  const of = (peer: Name): Throughput => ({
    perSecond: median(rounds.map((round) => round[peer].perSecond)),
    perProcessorSecond: median(rounds.map((round) => round[peer].perProcessorSecond)),
    p99Ms: median(rounds.map((round) => round[peer].p99Ms)),
  })
  const against = (peer: 'nginx' | 'authRequest', figure: 'perSecond' | 'perProcessorSecond') =>
    median(rounds.map((round) => round.gate[figure] / round[peer][figure]))
  return {
    gate: of('gate'),
    nginx: of('nginx'),
    authRequest: of('authRequest'),
    ratios: {
      nginx: against('nginx', 'perSecond'),
      authRequest: against('authRequest', 'perSecond'),
      nginxByProcessor: against('nginx', 'perProcessorSecond'),
      authRequestByProcessor: against('authRequest', 'perProcessorSecond'),
    },
  }
}

if (import.meta.main) {
  const [seconds = '4', rounds = '5'] = process.argv.slice(2)
  const cacheDir = process.env.BENCH_CACHE ?? join(import.meta.dirname, '../.cache')
  const result = await measureThroughput({ cacheDir, seconds: Number(seconds), rounds: Number(rounds) })
  if (result === null)
    console.log('nginx and wrk are needed for this measurement; one of them is not installed')
  else {
    const { hostile, ...loads } = result
    console.table({ hostile })
    for (const [load, { ratios, ...peers }] of Object.entries(loads)) {
      console.log(load)
      console.table(peers)
      console.table(ratios)
    }
  }
}
