#!/usr/bin/env node
// Plain JavaScript for any Node from 20 on: runs the command on the Node this project pins.
import { spawn } from 'node:child_process'
import module from 'node:module' // Node 20 has no enableCompileCache to import by name
import { fileURLToPath } from 'node:url'
import { findPinnedNode, PINNED_MAJOR } from './pinned-node.mjs'
import { watchParent } from './watch-parent.mjs'

const SCRIPT = fileURLToPath(import.meta.url)
const args = process.argv.slice(2)
/** A gate's young generation, which a program cannot choose for itself, as the recipes in `deploy/` have it. */
const SERVING = ['--max-semi-space-size=4']

process.on('SIGUSR1', () => {}) // without a listener it opens a debugger, to which any program of this machine could say what to run

if (Number(process.versions.node.split('.')[0]) < PINNED_MAJOR) {
  runPinned(findPinnedNode())
} else {
  if (process.env.npm_command !== undefined) watchParent(() => process.kill(process.pid, 'SIGTERM'))
  keepCompiledCode()
  const { main } = await import('../src/main.ts')
  await main(args)
}

/** Kept beside the code and not in the shared temporary folder, where another account could leave code for us to run. */
function keepCompiledCode() {
  const folder = fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url))
  module.enableCompileCache(folder)
  process.env.NODE_COMPILE_CACHE ??= folder // for threads and for a site's build, which take theirs from here only
}

function runPinned(node) {
  if (node === null) {
    process.stderr.write(
      `sekisho: this needs Node ${PINNED_MAJOR}; it runs on ${process.version} and no pinned Node is installed. Run npm ci.\n`,
    )
    process.exit(1)
  }
  const child = spawn(node, [...(args[0] === 'serve' ? SERVING : []), SCRIPT, ...args], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  if (process.env.npm_command !== undefined) watchParent(() => child.kill('SIGTERM'))
  child.once('error', (error) => {
    process.stderr.write(`sekisho: ${node} cannot be run: ${error.message}\n`)
    process.exitCode = 1
  })
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128)
  })
}
