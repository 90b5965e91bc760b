import { setTimeout as sleep } from 'node:timers/promises'
import { hasPgbouncer, PGBOUNCER, type Pgbouncer, startPgbouncer } from '@sekisho/server/state/testing'
import { runAudit } from '../../../packages/sekisho/src/commands/state/audit.ts'
import { startCluster } from '../cluster.ts'
import { idAt } from '../cluster-releases.ts'
import { judge } from '../judge.ts'
import { readTrail, runCommand } from '../operator.ts'
import { type Observation, read } from '../readers.ts'
import type { Recorded } from './failing.ts'
import type { Outcome } from './outcome.ts'

interface PoolerOptions {
  readonly perSecond: number
  readonly readers: number
}

const POOL_SIZE = 4
const READ_MS = 8_000

/** Missing programs for the trial. */
export function findMissingForPooler(): readonly string[] {
  return hasPgbouncer() ? [] : [`${PGBOUNCER} is missing: apt-get install pgbouncer`]
}

/** Three gates whose statements share four connections of pgbouncer, while the database is restarted and the pooler is killed. */
export async function runPooler({ perSecond, readers }: PoolerOptions): Promise<Outcome> {
  let pooler: Pgbouncer | null = null
  const open = async (url: string, port?: number) =>
    startPgbouncer({
      mode: 'transaction',
      url,
      // It waits 15 s before it tries a database again that refused it, unless told otherwise.
      settings: [`default_pool_size = ${POOL_SIZE}`, 'server_login_retry = 1'],
      ...(port !== undefined && { port }),
    })
  let pooledUrl = ''
  await using cluster = await startCluster({
    ...{ gates: 3, pages: Math.ceil((perSecond * 60) / readers) },
    async reach(url) {
      if (url.includes('_owner')) return { SEKISHO_DATABASE_URL: url }
      pooledUrl = url
      pooler ??= await open(url)
      return { SEKISHO_DATABASE_URL: pooler.through(url), SEKISHO_DATABASE_LISTEN_URL: url }
    },
  })
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(async () => pooler?.[Symbol.asyncDispose]())
  const { issuer, releases, balancerPort: port, gates, postgres, runSql } = cluster
  const seen: Observation[] = []
  const events: Recorded = {
    ...{ publications: [{ id: idAt(releases.ids, 0), fromMs: 0, byMs: 0 }], kills: [], disabled: new Map() },
    ...{ stops: [], lost: [], outages: [] },
  }
  const ending = new AbortController()
  const reading = read({
    ...{ count: readers, perSecond, port, issuer, pages: releases.pages, signal: ending.signal },
    observe: (one) => void seen.push(one),
  })
  await sleep(READ_MS)
  const [row] = await runSql(
    "SELECT count(*) FILTER (WHERE application_name <> 'sekisho listening') AS pooled, count(*) AS all FROM pg_stat_activity WHERE usename LIKE '%_gate'",
  )
  const away = async (run: () => Promise<void>) => {
    const fromMs = performance.now()
    await run()
    events.outages.push({ gate: null, fromMs, byMs: performance.now() })
    await sleep(READ_MS)
  }
  await away(async () => {
    await postgres.stop()
    await sleep(1_000)
    await postgres.start()
  })
  await away(async () => {
    const poolerPort = pooler?.port
    await pooler?.[Symbol.asyncDispose]()
    await sleep(1_000)
    pooler = await open(pooledUrl, poolerPort)
  })
  ending.abort()
  await reading
  for (const gate of gates) await gate.stop()
  const { wrong, lostSessions, lostLines, refusals } = judge(seen, events, releases, await readTrail(cluster))
  const verified = await runCommand(runAudit, ['verify'], cluster)
  const pages = seen.filter(({ asking, status }) => asking === 'page' && status === 200).length
  return {
    rows: [
      ['behind pgbouncer in transaction mode: requests, pages', `${seen.length}, ${pages}`, ''],
      [
        'connections to PostgreSQL for statements, and to listen',
        `${row?.pooled}, ${Number(row?.all) - Number(row?.pooled)}`,
        `≤ ${POOL_SIZE}, 3`,
      ],
      [
        'wrong answers, lost sessions, lost audit lines',
        `${wrong.length}, ${lostSessions.length}, ${lostLines.length}`,
        '0, 0, 0',
      ],
      ['refusals while the database or the pooler was away', refusals.away, 'closed, never open'],
      ['other refusals', refusals.other.length, '0'],
    ],
    problems: [
      ...(Number(row?.pooled) > POOL_SIZE ? [`${row?.pooled} connections for statements`] : []),
      ...(verified.code === 0 ? [] : verified.said),
      ...wrong,
      ...lostSessions.map((one) => `${one}: a session was lost`),
      ...lostLines.map((one) => `${one}: has no line in the audit trail`),
      ...refusals.other,
    ],
  }
}
