import './assert-node.mjs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { step } from './console.mjs'
import { assertPortIsFree, readPort } from './port.mjs'
import { prepare } from './prepare.mjs'
import { run } from './run.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const port = readPort()
await assertPortIsFree(port, 'run dev')
const node = await prepare()
step('Starting Docusaurus with hot reload for writers (loopback only, no gate)')
const docusaurus = path.join(ROOT, 'node_modules', '@docusaurus', 'core', 'bin', 'docusaurus.mjs')
process.exitCode = await run(
  node,
  [docusaurus, 'start', '--host', '127.0.0.1', '--port', String(port), '--no-open'],
  {
    cwd: path.join(ROOT, 'site'),
  },
)
