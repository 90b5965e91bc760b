import { openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '@sekisho/server/state/testing'
import { seedSessions } from '@sekisho/server/testing'
import { type Peer, pinned, start, stop, untilAnswers } from './processes.ts'

const SEKISHO = fileURLToPath(new URL('../../packages/sekisho/bin/sekisho.mjs', import.meta.url))
const SECRET = 'measured'.repeat(5)
const PROJECT = 'measured-portal'
export const HOST = 'portal.test'

export interface GatePeer extends Peer {
  /** Of each reader. */
  readonly cookies: readonly string[]
  readonly pid: number
}

interface GateOptions {
  readonly core?: number
  readonly readers?: number
  /** Access policy, in place of full access for all readers. */
  readonly policyFile?: string
}

/** Starts the gate as an operator would, in production mode, with a session for each of `readers` in its store. */
export async function startGate(
  dataDir: string,
  { core = 0, readers = 1, policyFile }: GateOptions = {},
): Promise<GatePeer> {
  const emails = Array.from({ length: readers }, (_, n) => `reader-${n}@example.co.jp`)
  const tokens = await seedSessions(dataDir, SECRET, emails, {
    origin: `https://${HOST}`,
    projectId: PROJECT,
  })
  const port = await findFreePort()
  const log = join(tmpdir(), `sekisho-bench-${process.pid}.log`)
  const child = start(
    pinned(core, [process.execPath, SEKISHO, 'serve']),
    settings(dataDir, port, policyFile),
    openSync(log, 'w'),
  )
  const cookies = tokens.map((token) => `__Host-sekisho=${token}`)
  const startedMs = await untilAnswers(port, '/__gate/health', { Host: HOST })
  const pid = child.pid ?? 0
  return {
    port,
    startedMs,
    pid,
    pids: [pid],
    cookies,
    async [Symbol.asyncDispose]() {
      await stop(child)
      rmSync(log, { force: true })
    },
  }
}

function settings(dataDir: string, port: number, policyFile?: string): NodeJS.ProcessEnv {
  return {
    NODE_ENV: 'production',
    // As the recipes in deploy/ have it.
    NODE_OPTIONS: '--max-semi-space-size=4',
    MALLOC_ARENA_MAX: '2',
    SEKISHO_ORIGIN: `https://${HOST}`,
    SEKISHO_DATA_DIR: dataDir,
    SEKISHO_PORT: String(port),
    SEKISHO_SECRET: SECRET,
    ...(policyFile === undefined
      ? { SEKISHO_ALLOWED_DOMAINS: 'example.co.jp' }
      : { SEKISHO_POLICY_FILE: policyFile }),
    SEKISHO_TRUSTED_PROXIES: '127.0.0.1',
    SEKISHO_REVALIDATION_INTERVAL: '1h', // nobody proves the readers that were put into the store
    FIREBASE_API_KEY: 'measured',
    FIREBASE_AUTH_DOMAIN: HOST,
    FIREBASE_PROJECT_ID: PROJECT,
  }
}
