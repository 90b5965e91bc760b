import { once } from 'node:events'
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { cookieNames } from '@sekisho/contract/cookies'
import { migrateDatabase } from '@sekisho/server/database'
import { findFreePort, startPostgres } from '@sekisho/server/state/testing'
import { HOST, type ServingGate, startServingGate } from '../../packages/sekisho/test/support/serving-gate.ts'
import { PROXIES, startProxy } from './start-proxy.ts'

const GATES = 3
const READERS = 24
/** Rest between one gate and the next, as a rollout that waits for readiness has it. */
const SETTLE_MS = 3_000

/** Served and refused requests while every gate was replaced in turn. */
interface RollingUpgrade {
  readonly requests: number
  /** By status; 0 is a connection that ended without an answer. */
  readonly refused: ReadonlyMap<number, number>
}

/** Replaces three gates on one PostgreSQL one after another behind the HAProxy recipe, under readers who never rest. Null without PostgreSQL. */
export async function upgradeBehindHaproxy(
  root: string,
  seed: (databaseUrl: string) => Promise<string>,
): Promise<RollingUpgrade | null> {
  const postgres = await startPostgres()
  const proxy = PROXIES.find(({ debianPackage }) => debianPackage === 'haproxy')
  if (postgres === null || proxy === undefined) return null
  await using _postgres = postgres
  await postgres.start()
  const databaseUrl = postgres.urlOf('postgres', 'postgres')
  await migrateDatabase(databaseUrl)
  const folder = join(root, 'rolling')
  await mkdir(folder)
  for (const file of ['cert.pem', 'key.pem', 'both.pem']) await copyFile(join(root, file), join(folder, file))
  const env = { SEKISHO_DATABASE_URL: databaseUrl, SEKISHO_RELEASES: join(root, 'data', 'releases') }
  const start = async (n: number, port?: number) =>
    startServingGate({ dataDir: join(folder, `gate-${n}`), env, ...(port !== undefined && { port }) })
  const gates: ServingGate[] = []
  for (let n = 0; n < GATES; n += 1) gates.push(await start(n))
  const cookie = `${cookieNames(true).session}=${await seed(databaseUrl)}`
  const port = await findFreePort()
  const gatePorts = gates.map((gate) => gate.port)
  await using _proxy = await startProxy(proxy, { folder, port, gatePort: gatePorts[0] ?? 0, gatePorts })

  const reading = readWithoutRest({ port, cookie, ca: await readFile(join(root, 'cert.pem')) })
  await sleep(SETTLE_MS)
  for (const [n, gate] of gates.entries()) {
    gate.child.kill('SIGTERM')
    await once(gate.child, 'exit')
    gates[n] = await start(n, gate.port)
    await sleep(SETTLE_MS)
  }
  const seen = await reading.end()
  for (const gate of gates) await gate[Symbol.asyncDispose]()
  return seen
}

function readWithoutRest(options: { readonly port: number; readonly cookie: string; readonly ca: Buffer }) {
  const agent = new Agent({ keepAlive: true, maxSockets: READERS, ca: options.ca, servername: HOST })
  const refused = new Map<number, number>()
  let requests = 0
  let isEnding = false
  const readers = Array.from({ length: READERS }, async () => {
    while (!isEnding) {
      const status = await ask(agent, options)
      requests += 1
      if (status !== 200) refused.set(status, (refused.get(status) ?? 0) + 1)
    }
  })
  return {
    async end(): Promise<RollingUpgrade> {
      isEnding = true
      await Promise.all(readers)
      agent.destroy()
      return { requests, refused }
    },
  }
}

function ask(
  agent: Agent,
  { port, cookie }: { readonly port: number; readonly cookie: string },
): Promise<number> {
  return new Promise((resolve) => {
    const headers = { Host: HOST, Cookie: cookie }
    const sent = request({ agent, host: '127.0.0.1', port, path: '/docs/secret', headers }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode ?? 0))
      answer.once('error', () => resolve(0))
    })
    sent.once('error', () => resolve(0))
    sent.end()
  })
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
