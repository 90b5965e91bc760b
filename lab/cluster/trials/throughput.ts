import { readdirSync, readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { type Cluster, startCluster } from '../cluster.ts'
import { ask, signIn } from '../readers.ts'

const READERS = 48
const CONNECTIONS = 32
/** USER_HZ, which is 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

/** Prints what 1,000 pages cost with one, two and three gates, each for so many seconds; resolves to what was wrong. */
export async function runThroughput(seconds: number): Promise<readonly string[]> {
  const rows: string[] = []
  const problems: string[] = []
  for (const gates of [1, 2, 3]) {
    await using cluster = await startCluster({ gates, pages: 200 })
    const { issuer, balancerPort: port } = cluster
    const signedIn = Array.from({ length: READERS }, (_, n) =>
      signIn(issuer, port, `reader-${n}@example.co.jp`),
    )
    const cookies = (await Promise.all(signedIn)).flatMap(({ cookie }) => cookie ?? [])
    await readPages(cluster, cookies, 2)
    const before = readSeconds(cluster)
    const { pages, refused } = await readPages(cluster, cookies, seconds)
    const after = readSeconds(cluster)
    if (refused > 0) problems.push(`${refused} of ${pages + refused} pages were refused by ${gates} gates`)
    const [gate = 0, postgres = 0, balancer = 0] = after.map(
      (total, index) => ((total - (before[index] ?? 0)) * 1_000) / pages,
    )
    const figures = [gate, postgres, balancer].map((cost) => cost.toFixed(3))
    const perSecond = (pages / seconds).toFixed(0)
    const capacity = (1_000 / gate).toFixed(0)
    rows.push(`| ${[gates, pages, perSecond, ...figures, capacity].join(' | ')} |`)
  }
  console.log(
    [
      '',
      '| gates | pages | a second | gates, CPU s per 1,000 | PostgreSQL, CPU s per 1,000 | HAProxy, CPU s per 1,000 | pages a processor second of the gates |',
      '|---|---|---|---|---|---|---|',
      ...rows,
      '',
    ].join('\n'),
  )
  return problems
}

async function readPages(
  { balancerPort: port, releases }: Cluster,
  cookies: readonly string[],
  seconds: number,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const endMs = performance.now() + seconds * 1_000
  let sent = 0
  let pages = 0
  let refused = 0
  const reader = async () => {
    while (performance.now() < endMs) {
      sent += 1
      const path = releases.pages[(sent * 7) % releases.pages.length] ?? '/'
      const { status } = await ask({ port, path, agent, cookie: cookies[sent % cookies.length] ?? '' })
      if (status === 200) pages += 1
      else refused += 1
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, reader))
  agent.destroy()
  return { pages, refused }
}

/** Processor seconds so far of gates, PostgreSQL and balancer. */
function readSeconds({ gates, postgres, balancerPid }: Cluster): readonly number[] {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
  const backends = childrenOf(postgres.pid()).map((pid) => ticksOf(pid).own)
  const { own, waitedFor } = ticksOf(postgres.pid()) // of backends that ended
  const ticks = [
    sum(gates.map(({ pid }) => ticksOf(pid()).own)),
    own + waitedFor + sum(backends),
    ticksOf(balancerPid).own,
  ]
  return ticks.map((count) => count / TICKS_PER_SECOND)
}

/** Columns 14 to 17 of proc_pid_stat(5): utime, stime, and both of children that ended. */
function ticksOf(pid: number): { readonly own: number; readonly waitedFor: number } {
  const [utime = 0, stime = 0, cutime = 0, cstime = 0] = statOf(pid).slice(11, 15).map(Number)
  return { own: utime + stime, waitedFor: cutime + cstime }
}

function childrenOf(parent: number): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => Number(statOf(pid)[1]) === parent)
}

/** The columns behind the program's name, which may hold spaces; none where the process is gone. */
function statOf(pid: number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
