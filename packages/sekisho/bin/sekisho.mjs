#!/usr/bin/env node
// Plain JavaScript for any Node from 20 on: runs the command on the Node this project pins.
import { spawn } from 'node:child_process'
import module from 'node:module' // Node 20 has no enableCompileCache to import by name
import { fileURLToPath } from 'node:url'
import { findPinnedNode, PINNED_MAJOR } from './pinned-node.mjs'
import { watchParent } from './watch-parent.mjs'

/** What Node and V8 are told, by command. */
const FLAGS = new Map([
  // No signal opens a debugger in a gate, to which any program of this machine could say what to run.
  ['serve', ['--disable-sigusr1']],
  // Packing threads hold page after page: with a large young generation they take a tenth less (decisions/066).
  ['build', ['--min-semi-space-size=16']],
])

const SCRIPT = fileURLToPath(import.meta.url)
const args = process.argv.slice(2)
const flags = FLAGS.get(args[0]) ?? []

if (Number(process.versions.node.split('.')[0]) < PINNED_MAJOR) {
  runPinned(findPinnedNode())
} else {
  takeOnFlags()
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

/** The size of the young generation is settled before any script runs: the process starts itself over, in its own place. */
function takeOnFlags() {
  const missing = flags.filter((flag) => !process.execArgv.includes(flag))
  if (missing.length === 0 || process.platform === 'win32') return // which has no execve, and then keeps its defaults
  process.execve(
    process.execPath,
    [process.execPath, ...process.execArgv, ...missing, SCRIPT, ...args],
    process.env,
  )
}

function runPinned(node) {
  if (node === null) {
    process.stderr.write(
      `sekisho: this needs Node ${PINNED_MAJOR}; it runs on ${process.version} and no pinned Node is installed. Run npm ci.\n`,
    )
    process.exit(1)
  }
  const child = spawn(node, [...flags, SCRIPT, ...args], { stdio: 'inherit' })
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
