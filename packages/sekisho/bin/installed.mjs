#!/usr/bin/env node
// The command in the package that users install. Plain JavaScript that any Node reads, up to the sentence below.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const OLDEST = 24

process.on('SIGUSR1', () => {}) // without a listener it opens a debugger, to which any program of this machine could say what to run

if (Number(process.versions.node.split('.')[0]) < OLDEST) {
  process.stderr.write(
    `sekisho: this needs Node ${OLDEST} or newer, and it runs on ${process.version}. Install a newer Node and run the command again.\n`,
  )
  process.exit(1)
}
// Kept beside the code and not in the shared temporary folder, where another account could leave code for us to run.
const folder = fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url))
module.enableCompileCache(folder)
process.env.NODE_COMPILE_CACHE ??= folder // for threads and for a site's build, which take theirs from here only
if (process.env.npm_command !== undefined) {
  const { watchParent } = await import('./watch-parent.mjs')
  watchParent(() => process.kill(process.pid, 'SIGTERM'))
}
const { main } = await import('../dist/sekisho/src/main.js')
await main(process.argv.slice(2))
