import './support/assert-node.mjs'
import { fileURLToPath } from 'node:url'
import { SEKISHO } from './build.mjs'
import { say, step } from './support/console.mjs'
import { assertPortIsFree, readPort } from './support/port.mjs'
import { prepare } from './support/prepare.mjs'
import { run } from './support/run.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

await assertPortIsFree(readPort(), 'run dev')
const node = await prepare()
step(say('dev'))
process.exitCode = await run(node, [SEKISHO, 'dev', '--site', 'site'], { cwd: ROOT })
