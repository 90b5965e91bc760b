import './assert-node.mjs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildLoginPage } from './build-login.mjs'
import { fail, step } from './console.mjs'
import { prepare } from './prepare.mjs'
import { run } from './run.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const node = await prepare()
await buildLoginPage(node)
step('Building one small site for each plugin, without and with the gate')
const args = [path.join(ROOT, 'e2e', 'sites', 'main.ts'), ...process.argv.slice(2)]
const code = await run(node, args, { cwd: process.cwd() })
if (code !== 0) fail('Some site differs, or could not be tried: the lines above say how.', code)
