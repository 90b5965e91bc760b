import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail, say, step } from './support/console.mjs'
import { run } from './support/run.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LOGIN = path.join(ROOT, 'packages', 'login')
const STAMP = path.join(LOGIN, 'dist', '.inputs')

/** Builds the login page's bundle unless its sources, the contract and the lockfile are those of the last build. */
export async function buildLoginPage(node) {
  const inputs = fingerprint()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === inputs) return
  step(say('buildLogin'))
  const vite = path.join(LOGIN, 'node_modules', 'vite', 'bin', 'vite.js')
  const shared = path.join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
  const code = await run(node, [existsSync(vite) ? vite : shared, 'build', '--logLevel', 'warn'], {
    cwd: LOGIN,
  })
  if (code !== 0) fail(say('buildLoginFailed'), code)
  writeFileSync(STAMP, inputs)
}

function fingerprint() {
  const hash = createHash('sha256')
  const files = [LOGIN, path.join(ROOT, 'packages', 'contract', 'src')]
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !/[\\/](node_modules|dist)[\\/]/.test(file))
  for (const file of [...files, path.join(ROOT, 'package-lock.json')].sort())
    hash.update(path.relative(ROOT, file)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}
