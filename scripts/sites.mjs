import './support/assert-node.mjs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildLoginPage } from './build-login.mjs'
import { fail, say, step } from './support/console.mjs'
import { prepare } from './support/prepare.mjs'
import { run } from './support/run.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const node = await prepare()
await buildLoginPage(node)
step(say('sites'))
const args = [path.join(ROOT, 'e2e', 'sites', 'main.ts'), ...process.argv.slice(2)]
const code = await run(node, args, { cwd: process.cwd() })
if (code !== 0) fail(say('sitesFailed'), code)
