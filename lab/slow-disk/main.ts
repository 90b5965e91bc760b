import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findHeader, type WireClient } from '@sekisho/verify'
import { signInWith, startKillableGate } from '../../packages/sekisho/test/support/start-killable-gate.ts'

/**
 * Measures a gate whose syncs take 0.3 to 5 seconds, under readers and sign-ins: `npm run slow-disk [SECONDS]`. Prints served requests,
 * waits, and the delay of health checks. No request may be refused.
 */
const SECONDS = Number(process.argv[2] ?? 30)
const SYNCS_MS = [0, 300, 1_000, 2_000, 3_000, 5_000]
const READERS = 20
const PAUSE_MS = 250
const SIGN_IN_EVERY_MS = 1_500
const SLOW_SYNC = new URL('./slow-sync.ts', import.meta.url).href

/** Outcomes of requests of one kind. */
class Tally {
  served = 0
  readonly refused = new Map<string, number>()
  longestMs = 0

  note(status: number | string, expected: number, sinceMs: number): void {
    this.longestMs = Math.max(this.longestMs, performance.now() - sinceMs)
    if (status === expected) this.served += 1
    else this.refused.set(String(status), (this.refused.get(String(status)) ?? 0) + 1)
  }
  get all(): number {
    return this.served + [...this.refused.values()].reduce((sum, count) => sum + count, 0)
  }
}

type Request = Parameters<WireClient['exchange']>[0]

async function ask(client: WireClient, request: Request, tally: Tally, expected: number) {
  const sinceMs = performance.now()
  const outcome = await client.exchange(request).catch(() => null)
  const response = outcome?.kind === 'response' ? outcome.response : null
  tally.note(response?.status ?? 'closed', expected, sinceMs)
  return response
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function measure(syncMs: number) {
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-slow-'))
  const { child, client, tokens } = await startKillableGate({
    data: folder,
    name: 'p',
    people: READERS + Math.ceil((SECONDS * 1_000) / SIGN_IN_EVERY_MS),
    execArgv: ['--import', SLOW_SYNC],
    env: { SEKISHO_TEST_SYNC_MS_FILE: syncMsFileOf(folder) },
  })
  try {
    const [reading, signing, health] = [new Tally(), new Tally(), new Tally()]
    const responses = await Promise.all(
      tokens.splice(0, READERS).map((token) => ask(client, signInWith(token), new Tally(), 204)),
    )
    const cookies = responses.map((response) => response && findHeader(response.headers, 'set-cookie'))
    writeFileSync(syncMsFileOf(folder), String(syncMs)) // slow from now on
    const untilMs = performance.now() + SECONDS * 1_000
    const loop = async (everyMs: number, run: () => Promise<unknown>) => {
      while (performance.now() < untilMs) {
        await run()
        await pause(everyMs)
      }
    }
    const readers = cookies.map((cookie) => {
      const headers = [['Cookie', cookie?.split(';')[0] ?? '']] as const
      return loop(PAUSE_MS, () =>
        ask(client, { method: 'GET', target: '/docs/guide', headers }, reading, 200),
      )
    })
    const newcomers: Promise<unknown>[] = []
    await Promise.all([
      ...readers,
      loop(SIGN_IN_EVERY_MS, async () => {
        const token = tokens.shift()
        if (token !== undefined) newcomers.push(ask(client, signInWith(token), signing, 204))
      }),
      loop(PAUSE_MS, () =>
        ask(client, { method: 'GET', target: '/__gate/health', headers: [] }, health, 200),
      ),
    ])
    await Promise.all(newcomers)
    return {
      's per sync': syncMs / 1_000,
      'pages served': `${reading.served} of ${reading.all}`,
      'longest (s)': seconds(reading),
      'sign-ins': `${signing.served} of ${signing.all}`,
      'longest sign-in (s)': seconds(signing),
      'longest health check (s)': seconds(health),
      refused: [...reading.refused, ...signing.refused].map(([why, count]) => `${why}: ${count}`).join(', '),
    }
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}

function seconds({ longestMs }: Tally): number {
  return Math.round(longestMs / 10) / 100
}

const syncMsFileOf = (folder: string) => join(folder, 'sync-ms')

const rows: Awaited<ReturnType<typeof measure>>[] = []
for (const syncMs of SYNCS_MS) {
  rows.push(await measure(syncMs))
  console.table(rows.slice(-1))
}
console.table(rows)
const isServed = rows.every(({ refused }) => refused === '')
console.log(isServed ? '✔ all requests were served' : '✖ requests were refused')
process.exitCode = isServed ? 0 : 1
