import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pinned } from './processes.ts'

const WRK = ['/usr/bin/wrk', '/usr/local/bin/wrk', '/opt/homebrew/bin/wrk'].find(existsSync)

export const isWrkInstalled = WRK !== undefined

/** Result of one run of load. */
export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** One request of a load. */
export interface Asked {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Load {
  readonly port: number
  /** Asked one after the other, whichever connection is free, and from the first again. */
  readonly requests: readonly Asked[]
  readonly seconds: number
  readonly connections: number
  readonly core: number
}

/** Asks over keep-alive connections. Throws when an answer was no success or a connection broke. */
export function runLoad({ port, requests, seconds, connections, core }: Load): LoadResult {
  if (WRK === undefined) throw new Error('wrk is not installed')
  using asked = serialize(requests)
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', ...asked.options]
  const [program, ...args] = pinned(core, [WRK, ...options, `http://127.0.0.1:${port}${asked.path}`])
  const { stdout, stderr, status } = spawnSync(program, args, { encoding: 'utf8' })
  const answered = Number(/(\d+) requests in/.exec(stdout)?.[1])
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
  const [p50Ms, p99Ms] = [readLatency(stdout, 50), readLatency(stdout, 99)]
  if (status !== 0 || p99Ms === null || p50Ms === null || /Non-2xx|Socket errors/.test(stdout)) {
    throw new Error(`the load did not run cleanly: ${stderr}${stdout}`)
  }
  return { requests: answered, perSecond, p50Ms, p99Ms }
}

const UNITS_MS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1_000 }

/** Milliseconds of one line of wrk's latency distribution. */
function readLatency(stdout: string, percent: number): number | null {
  const [, value, unit = ''] = new RegExp(`${percent}%\\s+([\\d.]+)(us|ms|s)`).exec(stdout) ?? []
  return value === undefined ? null : Number(value) * (UNITS_MS[unit] ?? Number.NaN)
}

interface SerializedRequests extends Disposable {
  readonly options: readonly string[]
  readonly path: string
}

/** A single request goes into wrk's arguments; several need a script, which costs wrk some of its speed. */
function serialize(requests: readonly Asked[]): SerializedRequests {
  const [only, ...others] = requests
  if (only === undefined) throw new RangeError('a load without requests')
  if (others.length === 0) {
    const options = Object.entries(only.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
    return { options, path: only.path, [Symbol.dispose]: () => {} }
  }
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-load-'))
  const script = join(folder, 'load.lua')
  writeFileSync(script, formatScript(requests))
  return { options: ['-s', script], path: '', [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

/** Requests are serialized before the load begins: then wrk only has to send them. */
function formatScript(requests: readonly Asked[]): string {
  const calls = requests.map(({ path, headers }) => {
    const fields = Object.entries(headers).map(([name, value]) => `[${quote(name)}]=${quote(value)}`)
    return `  wrk.format("GET", ${quote(path)}, {${fields.join(', ')}}),`
  })
  return `local requests
local at = 0
function init()
  requests = {
${calls.join('\n')}
  }
end
function request()
  at = at % #requests + 1
  return requests[at]
end
`
}

/** Paths, hosts and tokens: a JSON string of them is a Lua string. */
const quote = (text: string) => JSON.stringify(text)
