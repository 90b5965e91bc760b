import './support/assert-node.mjs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildLoginPage } from './build-login.mjs'
import { fail, say, step } from './support/console.mjs'
import { prepare } from './support/prepare.mjs'
import { run } from './support/run.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MAIN = path.join(ROOT, 'packages', 'sekisho', 'pack', 'main.ts')

const node = await prepare()
await buildLoginPage(node)
step(say('pack'))
const code = await run(node, [MAIN, ...process.argv.slice(2)], { cwd: process.cwd() })
if (code !== 0) fail(say('packFailed'), code)
