import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { pinned } from './processes.ts'

const WRK = ['/usr/bin/wrk', '/usr/local/bin/wrk', '/opt/homebrew/bin/wrk'].find(existsSync)

export const isWrkInstalled = WRK !== undefined

/** What one run of load got out of a server. */
export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  readonly p99Ms: number
}

export interface Load {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly seconds: number
  readonly connections: number
  readonly core: number
}

/** Asks for one page over keep-alive connections. Throws when an answer was no success or a connection broke. */
export function runLoad({ port, path, headers, seconds, connections, core }: Load): LoadResult {
  if (WRK === undefined) throw new Error('wrk is not installed')
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const args = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--latency',
    ...given,
    `http://127.0.0.1:${port}${path}`,
  ]
  const [program, ...rest] = pinned(core, [WRK, ...args])
  const { stdout, stderr, status } = spawnSync(program, rest, { encoding: 'utf8' })
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1])
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
  const p99 = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout)
  if (status !== 0 || p99 === null || /Non-2xx|Socket errors/.test(stdout)) {
    throw new Error(`the load did not run cleanly: ${stderr}${stdout}`)
  }
  const unitMs = { us: 0.001, ms: 1, s: 1_000 }[p99[2] as 'us' | 'ms' | 's']
  return { requests, perSecond, p99Ms: Number(p99[1]) * unitMs }
}
