import './assert-node.mjs'
import { fileURLToPath } from 'node:url'
import { build, SEKISHO } from './build.mjs'
import { step } from './console.mjs'
import { assertPortIsFree, readPort } from './port.mjs'
import { prepare } from './prepare.mjs'
import { run } from './run.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const port = readPort()
await assertPortIsFree(port, 'start')
const node = await prepare()
await build(node)
step('Starting the gate and the local identity service')
process.exitCode = await run(node, [SEKISHO, 'serve', '--local'], {
  cwd: ROOT,
  env: { ...process.env, PORT: String(port) },
})
