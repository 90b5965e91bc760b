import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { cookieNames } from '@sekisho/contract/cookies'
import { packRelease } from '@sekisho/release/packing'
import { openFolderTrail } from '@sekisho/server/audit'
import { type DataFolder, dataFolderAt } from '@sekisho/server/data-folder'
import { findFreePort } from '@sekisho/server/state/testing'
import { seedSessions } from '@sekisho/server/testing'
import { writeFixtureSite } from '../../packages/sekisho/test/support/fixture-site.ts'
import { installForProduction } from '../../packages/sekisho/test/support/production-install.ts'
import {
  CONTEXT,
  HOST,
  SECRET,
  SETTINGS,
  type ServingGate,
  startServingGate,
} from '../../packages/sekisho/test/support/serving-gate.ts'
import { type Row, tableOf } from '../cluster/trials/outcome.ts'

/**
 * Measures an installed `sekisho serve` on much data: `npm run growth [-- --sessions 200000 --lines 10000000 --seconds 30]`. Start-up,
 * event loop delay beside an idle process, and operators' commands; first with one session and a hundred lines.
 */
const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '200000' },
    lines: { type: 'string', default: '10000000' },
    seconds: { type: 'string', default: '30' },
  },
})
const STARTS = 3
const READERS = 20
const PAUSE_MS = 100
const BROWSERS = 4
const START_LIMIT_MS = 1_000
/** Above what a process that does nothing is late by. */
const STALL_LIMIT_MS = 50

interface Size {
  readonly sessions: number
  readonly lines: number
}

/** Lines that share a sync; more than ten thousand that wait close a trail. */
const AT_ONCE = 5_000
const root = mkdtempSync(join(tmpdir(), 'sekisho-growth-'))
const problems: string[] = []
try {
  const sekisho = await installForProduction(join(root, 'app'))
  await writeFixtureSite(join(root, 'build'))
  const small = await measure({ sessions: 1, lines: 100 }, sekisho)
  const large = await measure({ sessions: Number(values.sessions), lines: Number(values.lines) }, sekisho)
  console.log(tableOf([...small, ...large]))
} finally {
  rmSync(root, { recursive: true, force: true })
}
for (const problem of problems) console.log(`✖ ${problem}`)
process.exitCode = problems.length === 0 ? 0 : 1

async function measure(size: Size, sekisho: string): Promise<readonly Row[]> {
  const name = `${size.sessions} sessions, ${size.lines} lines`
  say(`${name}: filling`)
  const dataDir = join(root, `data-${size.sessions}`)
  const folder = dataFolderAt(dataDir)
  await packRelease({ buildDir: join(root, 'build'), dataDir, clock: Date.now })
  const emails = Array.from(
    { length: size.sessions },
    (_, index) => `r${Math.floor(index / BROWSERS)}@example.co.jp`,
  )
  const tokens = await seedSessions(dataDir, SECRET, emails, CONTEXT)
  await fillTrail(folder, size.lines)
  const rows = [...(await measureStarts(dataDir, sekisho)), ...(await measureUse(folder, tokens, sekisho))]
  rmSync(dataDir, { recursive: true })
  return rows.map(([what, figure, wanted]) => [`${name}: ${what}`, figure, wanted])
}

function say(what: string): void {
  const load = loadavg()[0]?.toFixed(1)
  console.log(`${(performance.now() / 1_000).toFixed(0).padStart(6)} s  load ${load}  ${what}`)
}

/** Without what the compiler keeps the first one is another matter, and is left out. */
async function measureStarts(dataDir: string, sekisho: string): Promise<readonly Row[]> {
  const figures: string[] = []
  let bestMs = Number.POSITIVE_INFINITY
  for (let run = 0; run <= STARTS; run += 1) {
    const sinceMs = performance.now()
    await using gate = await startServingGate({ dataDir, sekisho })
    const tookMs = performance.now() - sinceMs
    const cpuMs = usageOf(gate.child).cpuMs
    await stop(gate)
    if (run === 0) continue
    bestMs = Math.min(bestMs, tookMs)
    figures.push(`${Math.round(tookMs)} (${cpuMs})`)
  }
  if (bestMs > START_LIMIT_MS) problems.push(`no start of ${STARTS} took less than ${START_LIMIT_MS} ms`)
  return [
    ['start until it is healthy (of that processor time), ms', figures.join(', '), `< ${START_LIMIT_MS}`],
  ]
}

/** SIGTERM; resolves to how long it took. */
async function stop({ child }: ServingGate): Promise<number> {
  const sinceMs = performance.now()
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  if (code !== 0) problems.push(`after SIGTERM the gate ended with ${code}`)
  return performance.now() - sinceMs
}

async function measureUse(
  folder: DataFolder,
  tokens: readonly string[],
  sekisho: string,
): Promise<readonly Row[]> {
  const metricsPort = await findFreePort()
  // Nobody can be asked about these accounts, and so nobody is.
  const env = { SEKISHO_METRICS_PORT: String(metricsPort), SEKISHO_REVALIDATION_INTERVAL: '1h' }
  await using gate = await startServingGate({ dataDir: folder.root, sekisho, env })
  using idle = startIdle()
  const stalls = async (name: string, during: () => Promise<unknown>): Promise<Row> => {
    await idle.latestMs()
    await readDelayMs(metricsPort)
    await during()
    const [ours, others] = [await readDelayMs(metricsPort), await idle.latestMs()]
    const wanted = `≤ ${STALL_LIMIT_MS} more than a process that does nothing`
    if (ours > others + STALL_LIMIT_MS) problems.push(`${name}: ${ours} ms, and ${others} without any work`)
    return [`latest event loop ${name}, and of a process that does nothing, ms`, `${ours}, ${others}`, wanted]
  }
  const command = (args: readonly string[]) => runCommand([sekisho, ...args, '--data-dir', folder.root])
  const reading = startReading(gate.port, tokens.slice(0, READERS))
  const rows: Row[] = [await stalls('while pages are read', () => sleep(Number(values.seconds) * 1_000))]
  const done: Row[] = []
  const beside = (args: readonly string[]) => async () => void done.push(await command(args))
  rows.push(await stalls('beside `sessions list`', beside(['sessions', 'list'])))
  const { served, refused } = await reading.end()
  rows.push(['pages served, refused', `${served}, ${refused}`, 'none refused'])
  if (refused > 0) problems.push(`${refused} readers were refused`)
  rows.push(await stalls('beside `sessions revoke --all`', beside(['sessions', 'revoke', '--all'])))
  rows.push(await stalls('while the gate takes that in', () => untilNobody(metricsPort)))
  rows.push(['SIGTERM until the process has ended, ms', Math.round(await stop(gate)), '< 10,000'])
  await beside(['audit', 'verify'])()
  return [...rows, ...done]
}

function startIdle() {
  const child = fork(fileURLToPath(new URL('./idle.ts', import.meta.url)))
  return {
    async latestMs(): Promise<number> {
      child.send('latest')
      const [ms] = await once(child, 'message')
      return Math.round(Number(ms))
    },
    [Symbol.dispose]: () => void child.kill(),
  }
}

function startReading(port: number, tokens: readonly string[]) {
  const { session: name } = cookieNames(true)
  const tally = { served: 0, refused: 0 }
  let isEnding = false
  const loops = tokens.map(async (token) => {
    while (!isEnding) {
      const status = await ask({
        port,
        path: '/docs/secret',
        headers: { Host: HOST, Cookie: `${name}=${token}` },
      })
      if (status === 200) tally.served += 1
      else tally.refused += 1
      await sleep(PAUSE_MS)
    }
  })
  return {
    async end() {
      isEnding = true
      await Promise.all(loops)
      return tally
    },
  }
}

function ask(options: { port: number; path: string; headers: Record<string, string> }): Promise<number> {
  return new Promise((resolve) => {
    get({ ...options, host: '127.0.0.1' }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode ?? 0))
    }).once('error', () => resolve(0))
  })
}

async function readMetric(port: number, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

/** Since it was read last. */
async function readDelayMs(port: number): Promise<number> {
  return Math.round((await readMetric(port, 'sekisho_event_loop_delay_max_seconds')) * 1_000)
}

async function untilNobody(port: number): Promise<void> {
  while ((await readMetric(port, 'sekisho_sessions')) > 0) await sleep(1_000)
}

/** Runs an operator's command whose output is kept; measures its time and its load. */
async function runCommand(args: readonly string[]): Promise<Row> {
  const sinceMs = performance.now()
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, args, {
    env: { PATH, HOME, ...SETTINGS },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let lines = 0
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    lines += chunk.filter((byte) => byte === 10).length
  })
  child.stderr.on('data', (chunk) => {
    said += String(chunk)
  })
  const usage = { cpuMs: 0, residentMb: 0 }
  const watching = setInterval(() => Object.assign(usage, usageOf(child)), 50)
  const [code] = await once(child, 'close')
  clearInterval(watching)
  const name = `\`${args.slice(1, -2).join(' ')}\``
  if (code !== 0) problems.push(`${name} ended with ${code}: ${said}`)
  const seconds = ((performance.now() - sinceMs) / 1_000).toFixed(1)
  const figure = `${seconds} s, ${(usage.cpuMs / 1_000).toFixed(1)} s, ${usage.residentMb} MB, ${lines} lines`
  return [`${name}: by the clock, processor time, most memory, output`, figure, '']
}

/** Of a process that runs; nothing once it has ended. */
function usageOf({ pid = 0 }: ChildProcess): { cpuMs?: number; residentMb?: number } {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const cpuMs = (Number(fields[11]) + Number(fields[12])) * 10 // ticks of a hundredth of a second
    const residentKb = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return residentKb === undefined ? {} : { cpuMs, residentMb: Math.round(Number(residentKb) / 1_024) }
  } catch {
    return {}
  }
}

/** Fills the trail of a gate that is not running with readings, as a gate writes them. */
async function fillTrail(folder: DataFolder, count: number): Promise<void> {
  const failures: unknown[] = []
  const trail = await openFolderTrail(folder, { now: Date.now, onFailure: (error) => failures.push(error) })
  for (let first = 0; first < count; first += AT_ONCE) {
    for (let at = first; at < Math.min(first + AT_ONCE, count); at += 1) {
      const account = `reader-${at % 10_000}`
      await trail.recordReading({
        event: 'page_read',
        reader: {
          email: `${account}@example.co.jp`,
          issuer: 'https://issuer.test',
          sub: account,
          id: `session-${at % 40_000}`,
        },
        path: `/docs/page-${at % 5_000}`,
        release: '20261124T000000Z-0a1b2c3d',
        request: `request-${at}`,
      })
    }
    await trail.flush()
  }
  await trail.close()
  if (failures.length > 0) throw failures[0]
}
