import './support/assert-node.mjs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildLoginPage } from './build-login.mjs'
import { prepare } from './support/prepare.mjs'
import { run } from './support/run.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MAIN = path.join(ROOT, 'packages', 'sekisho', 'pack', 'production.ts')

const node = await prepare()
await buildLoginPage(node)
process.exitCode = await run(node, [MAIN, ...process.argv.slice(2)], { cwd: process.cwd() })
