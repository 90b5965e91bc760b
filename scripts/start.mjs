import './support/assert-node.mjs'
import { fileURLToPath } from 'node:url'
import { SEKISHO } from './build.mjs'
import { buildLoginPage } from './build-login.mjs'
import { say, step } from './support/console.mjs'
import { assertPortIsFree, readPort } from './support/port.mjs'
import { prepare } from './support/prepare.mjs'
import { run } from './support/run.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const port = readPort()
await assertPortIsFree(port, 'start')
const node = await prepare()
await buildLoginPage(node)
// Two of the local accounts see different portals: 鈴木 一郎 is an operator.
const readers = fileURLToPath(new URL('../site/readers.local.json', import.meta.url))
step(say('start'))
process.exitCode = await run(node, [SEKISHO, 'start'], {
  cwd: ROOT,
  env: { SEKISHO_POLICY_FILE: readers, ...process.env, PORT: String(port) },
})
