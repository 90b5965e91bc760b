import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../free-port.ts'
import { UNPRIVILEGED_ID } from './postgres-server.ts'

export const PGBOUNCER = '/usr/sbin/pgbouncer'

/** A pooler before a PostgreSQL on loopback. */
export interface Pgbouncer extends AsyncDisposable {
  readonly port: number
  /** The same address through the pooler. */
  through(url: string): string
}

interface PgbouncerOptions {
  readonly mode: 'transaction' | 'session' | 'statement'
  /** Upstream URL, with the permitted role. */
  readonly url: string
  /** A free one unless told otherwise. */
  readonly port?: number
  /** Further lines of its settings. */
  readonly settings?: readonly string[]
}

/** Starts Debian's; the tests that use it are skipped where it is missing. */
export async function startPgbouncer({
  mode,
  url,
  settings = [],
  ...options
}: PgbouncerOptions): Promise<Pgbouncer> {
  const { username, password, port: databasePort } = new URL(url)
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-pgbouncer-'))
  const port = options.port ?? (await findFreePort())
  const users = join(folder, 'users')
  const config = join(folder, 'pgbouncer.ini')
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`)
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${databasePort}`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', `pool_mode = ${mode}`],
    ...['auth_type = scram-sha-256', `auth_file = ${users}`, ...settings],
  ]
  writeFileSync(config, `${lines.join('\n')}\n`)
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const path of [folder, users, config]) chownSync(path, UNPRIVILEGED_ID, UNPRIVILEGED_ID)
  const asUser = isRoot ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {}
  const child = spawn(PGBOUNCER, [config], { ...asUser, stdio: 'ignore' })
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    port,
    through(address) {
      const pooled = new URL(address)
      pooled.port = String(port)
      return pooled.href
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGKILL')
        await ended
      }
      rmSync(folder, { recursive: true })
    },
  }
}

export function hasPgbouncer(): boolean {
  return existsSync(PGBOUNCER)
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => socket.destroy())
    socket.once('error', () => resolve(false))
    socket.once('close', (hadError) => resolve(!hadError))
  })
}
