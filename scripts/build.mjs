import './support/assert-node.mjs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildLoginPage } from './build-login.mjs'
import { fail, say, step } from './support/console.mjs'
import { prepare } from './support/prepare.mjs'
import { run } from './support/run.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const SEKISHO = path.join(ROOT, 'packages', 'sekisho', 'bin', 'sekisho.mjs')

/** Builds the login page and the site and packs a release; rebuilds nothing that has not changed. */
export async function build(node, buildArgs = []) {
  await buildLoginPage(node)
  step(say('build'))
  const code = await run(node, [SEKISHO, 'build', ...buildArgs], { cwd: ROOT })
  if (code !== 0) fail(say('buildFailed'), code)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build(await prepare(), process.argv.slice(2))
