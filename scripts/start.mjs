import './assert-node.mjs'
import { fileURLToPath } from 'node:url'
import { SEKISHO } from './build.mjs'
import { buildLoginPage } from './build-login.mjs'
import { step } from './console.mjs'
import { assertPortIsFree, readPort } from './port.mjs'
import { prepare } from './prepare.mjs'
import { run } from './run.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const port = readPort()
await assertPortIsFree(port, 'start')
const node = await prepare()
await buildLoginPage(node)
step('Building the site, then starting the gate and the local identity service')
process.exitCode = await run(node, [SEKISHO, 'start'], {
  cwd: ROOT,
  env: { ...process.env, PORT: String(port) },
})
