import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findFreePort } from '../free-port.ts'
import { type PostgresServer, UNPRIVILEGED_ID } from './postgres-server.ts'

/** Debian keeps each version's programs below it. */
const VERSIONS = '/usr/lib/postgresql'
const PASSWORD = 'only-for-tests'
const SETTINGS = [
  'fsync=off',
  'max_connections=200',
  'unix_socket_directories=',
  'listen_addresses=127.0.0.1',
]

/** A primary and its asynchronous standby, which takes its place with `failOver` and then lacks what it did not receive. */
export interface ReplicatedPostgres extends PostgresServer {
  /** The URL of a database on the primary with both servers in it. */
  withStandby(url: string): string
  /** Has each commit wait for a standby that never answers, or no longer. */
  holdCommits(isHeld: boolean): Promise<void>
}

/** Folder of the programs; null without Debian's package, which alone has those for a standby. */
export function findReplication(): string | null {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : []
  const folders = versions.sort((a, b) => Number(b) - Number(a)).map((name) => join(VERSIONS, name, 'bin'))
  return folders.find((folder) => existsSync(join(folder, 'pg_basebackup'))) ?? null
}

/** Starts both; the standby streams before it resolves. */
export async function startReplicatedPostgres(programs: string): Promise<ReplicatedPostgres> {
  const root = mkdtempSync(join(tmpdir(), 'sekisho-replicated-'))
  const isRoot = process.getuid?.() === 0
  const asUser = isRoot ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {}
  if (isRoot) chownSync(root, UNPRIVILEGED_ID, UNPRIVILEGED_ID)
  const password = join(root, 'password')
  writeFileSync(password, PASSWORD, { mode: 0o644 })
  const env = { PATH: process.env.PATH, LC_ALL: 'C', PGPASSWORD: PASSWORD }
  const options = { ...asUser, cwd: root, env, stdio: 'ignore' } as const
  const run = (name: string, args: readonly string[]) => execFileSync(join(programs, name), args, options)
  const primary = { data: join(root, 'primary'), port: await findFreePort() }
  const standby = { data: join(root, 'standby'), port: await findFreePort() }
  const running = new Map<string, ChildProcess>()

  const urlAt = (port: number, database: string, role: string) =>
    `postgres://${role}:${PASSWORD}@127.0.0.1:${port}/${database}`
  const ask = async (port: number, sql: string) => {
    const client = new pg.Client({ connectionString: urlAt(port, 'postgres', 'postgres') })
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }
  const start = async ({ data, port }: typeof primary) => {
    const settings = SETTINGS.flatMap((one) => ['-c', one])
    running.set(
      data,
      spawn(join(programs, 'postgres'), ['-D', data, '-p', String(port), ...settings], options),
    )
    for (let attempt = 0; attempt < 400; attempt += 1) {
      if (
        await ask(port, 'SELECT 1').then(
          () => true,
          () => false,
        )
      )
        return
      await sleep(50)
    }
    throw new Error(`postgres does not start on ${data}`)
  }
  const stop = async ({ data }: typeof primary) => {
    const child = running.get(data)
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGQUIT') // "immediate" in PostgreSQL's words
    await exited
  }

  run('initdb', [
    ...['-D', primary.data, '-U', 'postgres', `--pwfile=${password}`],
    ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'],
  ])
  await start(primary)
  run('pg_basebackup', [
    ...['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres'],
    ...['-D', standby.data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'],
  ])
  await start(standby)
  const isStreaming = async () =>
    (await ask(primary.port, "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'")).length > 0
  while (!(await isStreaming())) await sleep(50)
  process.once('exit', () => {
    for (const child of running.values()) child.kill('SIGQUIT') // a run that was broken off leaves nothing behind
  })

  return {
    port: primary.port,
    pid: () => running.get(primary.data)?.pid ?? 0,
    urlOf: (database, role) => urlAt(primary.port, database, role),
    withStandby(url) {
      const { host } = new URL(url)
      return url.replace(`@${host}/`, `@${host},127.0.0.1:${standby.port}/`)
    },
    async holdCommits(isHeld) {
      await ask(primary.port, `ALTER SYSTEM SET synchronous_standby_names = '${isHeld ? 'nobody' : ''}'`)
      await ask(primary.port, 'SELECT pg_reload_conf()')
    },
    start: () => start(primary),
    stop: () => stop(primary),
    async keepStandby() {
      await ask(standby.port, "ALTER SYSTEM SET primary_conninfo = ''")
      await ask(standby.port, 'SELECT pg_reload_conf()')
      while ((await ask(primary.port, 'SELECT 1 FROM pg_stat_replication')).length > 0) await sleep(20)
    },
    async failOver() {
      await stop(primary)
      await ask(standby.port, 'SELECT pg_promote(true, 30)')
    },
    async [Symbol.asyncDispose]() {
      await stop(standby)
      await stop(primary)
      rmSync(root, { recursive: true, force: true })
    },
  }
}
