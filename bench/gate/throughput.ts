import { join } from 'node:path'
import { median } from '../report.ts'
import { HOST, startGate } from './gate-peer.ts'
import { isWrkInstalled, type LoadResult, runLoad } from './load.ts'
import { isNginxInstalled, NGINX_COOKIE, startNginx } from './nginx-peer.ts'
import { type Peer, processorSeconds } from './processes.ts'
import { packBenchRelease } from './release.ts'
import { MEASURED_PAGE } from './site-build.ts'

export interface ThroughputOptions {
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

export interface ThroughputReport {
  readonly gate: Throughput
  readonly nginx: Throughput
  readonly authRequest: Throughput
  /** The gate against each peer, round by round, then the median. */
  readonly ratios: Readonly<
    Record<'nginx' | 'authRequest' | 'nginxByProcessor' | 'authRequestByProcessor', number>
  >
}

/** Both Node servers are compiled while they run: before some ten thousand requests they are half as fast. */
const WARM_UP_TURNS = 5

type Round = LoadResult & { readonly perProcessorSecond: number }

/**
 * A signed-in page of 10 KB from the gate, the same file from nginx without any gate, and from nginx behind
 * `auth_request`, in turn, on one core. Null where nginx or wrk is missing.
 */
export async function measureThroughput(options: ThroughputOptions): Promise<ThroughputReport | null> {
  if (!isNginxInstalled || !isWrkInstalled) return null
  const { cacheDir, pages = 5_000, rounds = 5, seconds = 4, connections = 32 } = options
  const release = await packBenchRelease(cacheDir, pages)
  await using gate = await startGate(release.dataDir)
  await using plain = await startNginx(release.buildDir, 'plain')
  await using guarded = await startNginx(release.buildDir, 'auth_request')
  const folder = `${MEASURED_PAGE.path}/`
  const run = (peer: Peer, path: string, headers: Record<string, string>): Round => {
    const before = processorSeconds(peer.pids)
    const result = runLoad({ port: peer.port, path, headers, seconds, connections, core: 1 })
    return { ...result, perProcessorSecond: result.requests / (processorSeconds(peer.pids) - before) }
  }
  const turn = () => ({
    gate: run(gate, MEASURED_PAGE.path, { Host: HOST, Cookie: gate.cookie }),
    nginx: run(plain, folder, {}),
    authRequest: run(guarded, folder, { Cookie: NGINX_COOKIE }),
  })
  for (let warmUp = 0; warmUp < WARM_UP_TURNS; warmUp += 1) turn()
  return report(Array.from({ length: rounds }, turn))
}

function report(
  rounds: readonly Readonly<Record<'gate' | 'nginx' | 'authRequest', Round>>[],
): ThroughputReport {
  const of = (peer: 'gate' | 'nginx' | 'authRequest'): Throughput => ({
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
    const { ratios, ...peers } = result
    console.table(peers)
    console.table(ratios)
  }
}
