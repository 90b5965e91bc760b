import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { type GatePeer, HOST, startGate } from './gate-peer.ts'
import { processorSeconds, residentMb } from './processes.ts'
import { packBenchRelease } from './release.ts'
import { pagePath } from './site-build.ts'

interface MemoryOptions {
  readonly cacheDir: string
  readonly pages?: number
  readonly requests?: number
}

interface MemoryReport {
  /** From starting the process to its first response, and the processor time that took: the least of several starts. */
  readonly startedMs: number
  readonly startProcessorMs: number
  readonly residentAtStartMb: number
  /** The most that was seen while serving. */
  readonly residentPeakMb: number
  readonly residentEndMb: number
}

const CONNECTIONS = 16
const STARTS = 5
const ENCODINGS = ['br', 'gzip', 'zstd', 'identity']

/** Starts the gate on a large release and reads all of its pages, in every encoding; Linux only, for its /proc. */
export async function measureMemory(options: MemoryOptions): Promise<MemoryReport> {
  const { cacheDir, pages = 5_000, requests = 30_000 } = options
  const release = await packBenchRelease(cacheDir, pages)
  const start = await measureStart(() => startGate(release.dataDir), STARTS)
  await using gate = await startGate(release.dataDir)
  const residentAtStartMb = residentMb(gate.pid)
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  let [next, residentPeakMb] = [0, residentAtStartMb]
  const reader = async () => {
    while (next < requests) {
      const serial = 1 + (next % (pages - 1))
      next += 1
      const encoding = ENCODINGS[Math.floor(next / pages) % ENCODINGS.length] ?? 'br'
      const headers = { Host: HOST, Cookie: gate.cookies[0] ?? '', 'Accept-Encoding': encoding }
      await read(agent, gate.port, pagePath(serial), headers)
      if (next % 250 === 0) residentPeakMb = Math.max(residentPeakMb, residentMb(gate.pid))
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, reader))
  agent.destroy()
  return {
    ...start,
    residentAtStartMb,
    residentPeakMb,
    residentEndMb: residentMb(gate.pid),
  }
}

/** Starts gates one after the other; the least of all. */
export async function measureStart(
  serve: () => Promise<GatePeer>,
  starts: number,
): Promise<Pick<MemoryReport, 'startedMs' | 'startProcessorMs'>> {
  const least = { startedMs: Number.POSITIVE_INFINITY, startProcessorMs: Number.POSITIVE_INFINITY }
  for (let at = 0; at < starts; at += 1) {
    await using gate = await serve()
    least.startedMs = Math.min(least.startedMs, gate.startedMs)
    least.startProcessorMs = Math.min(least.startProcessorMs, processorSeconds(gate.pids) * 1_000)
  }
  return least
}

/** Reads a page; rejects unless it is served. */
export function read(
  agent: Agent,
  port: number,
  path: string,
  headers: Record<string, string>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ agent, port, host: '127.0.0.1', path, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} is answered ${response.statusCode}`))
      response.resume().once('end', resolve)
    }).once('error', reject)
  })
}

if (import.meta.main) {
  const cacheDir = process.env.BENCH_CACHE ?? join(import.meta.dirname, '../.cache')
  console.table([await measureMemory({ cacheDir, requests: Number(process.argv[2] ?? 30_000) })])
}
