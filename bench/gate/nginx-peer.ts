import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '@sekisho/server/state/testing'
import { type Peer, pinned, start, stop, untilAnswers } from './processes.ts'

const NGINX = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'].find(existsSync)
const CHECKER = fileURLToPath(new URL('./session-checker.mjs', import.meta.url))
/** The session the checker knows. */
export const NGINX_COOKIE = `session=${'t'.repeat(43)}`

export const isNginxInstalled = NGINX !== undefined

/** nginx over a folder, with one worker and its stock logging; alone, or with `auth_request` to a session checker. */
export async function startNginx(root: string, kind: 'plain' | 'auth_request', core = 0): Promise<Peer> {
  if (NGINX === undefined) throw new Error('nginx is not installed')
  await using cleanup = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-nginx-'))
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
  const port = await findFreePort()
  const pids: number[] = []
  let check = ''
  if (kind === 'auth_request') {
    const checkerPort = await findFreePort()
    const token = NGINX_COOKIE.slice('session='.length)
    const checker = start(pinned(core, [process.execPath, CHECKER, String(checkerPort), token]), {})
    cleanup.defer(() => stop(checker))
    pids.push(checker.pid ?? 0)
    await untilAnswers(checkerPort, '/', { Cookie: NGINX_COOKIE }, 204)
    check = `upstream checker { server 127.0.0.1:${checkerPort}; keepalive 64; }`
  }
  writeFileSync(join(folder, 'nginx.conf'), configuration({ folder, root, port, check }))
  const nginx = start(
    pinned(core, [NGINX, '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')]),
    {},
  )
  cleanup.defer(() => stop(nginx))
  const startedMs = await untilAnswers(port, '/docs/measured/', { Cookie: NGINX_COOKIE })
  pids.push(...workersOf(nginx.pid ?? 0))
  const resources = cleanup.move()
  return { port, startedMs, pids, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

interface Configuration {
  readonly folder: string
  readonly root: string
  readonly port: number
  readonly check: string
}

function configuration({ folder, root, port, check }: Configuration): string {
  const guard = check === '' ? '' : 'auth_request /check;'
  const checkPlace = `location = /check { internal; proxy_pass http://checker; proxy_http_version 1.1;
      proxy_pass_request_body off; proxy_set_header Content-Length ""; proxy_set_header Connection ""; }`
  return `daemon off; worker_processes 1; pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  types { text/html html; text/javascript js; }
  access_log ${folder}/access.log; sendfile on; tcp_nopush on; open_file_cache max=10000; keepalive_requests 100000000;
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  ${check}
  server {
    listen 127.0.0.1:${port} backlog=1024; root ${root}; ${guard}
    ${check === '' ? '' : checkPlace}
  }
}
`
}

/** The master only waits; the worker does the work. */
function workersOf(master: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === master)
}

function parentOf(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])
  } catch {
    return null // ended meanwhile
  }
}
