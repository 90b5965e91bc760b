import './assert-node.mjs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { step } from './console.mjs'
import { prepare } from './prepare.mjs'
import { run } from './run.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const node = await prepare()
step('Starting Docusaurus with hot reload for writers (loopback only, no gate)')
const docusaurus = path.join(ROOT, 'node_modules', '@docusaurus', 'core', 'bin', 'docusaurus.mjs')
const port = process.env.PORT ?? '3000'
process.exitCode = await run(
  node,
  [docusaurus, 'start', '--host', '127.0.0.1', '--port', port, '--no-open'],
  {
    cwd: path.join(ROOT, 'site'),
  },
)
