import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fail, say, step } from './console.mjs'

/** Npm's record of the installed packages; `--omit=dev` is recorded too. */
const NPM_RECORD = 'node_modules/.package-lock.json'

/** Retries soon, so that a missing network is reported in seconds. */
const NPM_OPTIONS = [
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
]

/** Npm's error codes for a registry that does not respond. */
const UNREACHABLE =
  /\b(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)\b/

/** Installs a folder's locked packages unless the installed ones match its lockfile already. */
export async function ensureInstalled({ folder, title }) {
  if (isInstalled(folder)) return
  step(title)
  const { code, complaint } = await installQuietly(folder)
  if (code !== 0 && UNREACHABLE.test(complaint)) fail(say('registryUnreachable'))
  if (code !== 0) fail(say('installFailed', code, complaint))
}

/** Optional packages are those of other systems. */
function isInstalled(folder) {
  const record = path.join(folder, NPM_RECORD)
  if (!existsSync(record)) return false
  const [locked, installed] = [path.join(folder, 'package-lock.json'), record].map(
    (file) => JSON.parse(readFileSync(file, 'utf8')).packages,
  )
  return Object.entries(locked).every(
    ([place, { version, integrity, optional }]) =>
      optional === true ||
      !/(?:^|\/)node_modules\//.test(place) ||
      // A room of ours that came with the last pull has no version there, but it has a place.
      (place in installed &&
        installed[place].version === version &&
        installed[place].integrity === integrity),
  )
}

/** Runs `npm ci` and keeps what it complains of, because npm prints a dozen lines for a registry that is not there. */
function installQuietly(folder) {
  const npm = npmCommand()
  const started = Date.now()
  const heartbeat = setInterval(() => {
    process.stdout.write(`  ${say('installing', Math.round((Date.now() - started) / 1000))}\n`)
  }, 15_000)
  return new Promise((resolve, reject) => {
    const child = spawn(npm.command, [...npm.args, 'ci', ...NPM_OPTIONS], {
      cwd: folder,
      stdio: ['inherit', 'inherit', 'pipe'],
    })
    let complaint = ''
    child.stderr.setEncoding('utf8').on('data', (text) => {
      complaint += text
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? 1, complaint }))
  }).finally(() => clearInterval(heartbeat))
}

/** npm as the script that started us names it, so that no shell and no PATH look-up is needed. */
function npmCommand() {
  const script = process.env.npm_execpath
  if (script !== undefined && /\.c?js$/.test(script)) return { command: process.execPath, args: [script] }
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args: [] }
}
