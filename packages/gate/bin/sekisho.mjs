#!/usr/bin/env node
// Plain JavaScript for any Node from 20 on: runs the command on the Node this project pins.
import { spawn } from 'node:child_process'
import module from 'node:module' // Node 20 has no enableCompileCache to import by name
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { findPinnedNode, PINNED_MAJOR } from './pinned-node.mjs'

if (Number(process.versions.node.split('.')[0]) >= PINNED_MAJOR) {
  const args = process.argv.slice(2)
  if (args[0] === 'serve') keepSmall()
  // Beside the code and not in the shared temporary folder, where another account could leave code for us to run.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)))
  const { main } = await import('../src/cli/main.ts')
  await main(args)
} else {
  runPinned(findPinnedNode())
}

/** A serving gate makes much short-lived garbage and keeps little; see decisions/024. */
function keepSmall() {
  for (const flag of ['--semi-space-growth-factor=1', '--heap-growing-percent=20']) setFlagsFromString(flag)
}

function runPinned(node) {
  if (node === null) {
    process.stderr.write(
      `sekisho: this needs Node ${PINNED_MAJOR}; it runs on ${process.version} and no pinned Node is installed. Run npm ci.\n`,
    )
    process.exit(1)
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('error', (error) => {
    process.stderr.write(`sekisho: ${node} cannot be run: ${error.message}\n`)
    process.exitCode = 1
  })
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128)
  })
}
