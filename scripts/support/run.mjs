import { spawn } from 'node:child_process'
import { watchParent } from '../../packages/sekisho/bin/watch-parent.mjs'

/**
 * Runs a program to its end with this terminal as its own.
 * @returns {Promise<number>} its exit code; 1 when a signal ended it
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options })
    const stopForwarding = forwardSignals(child)
    const stopWatching = watchParent(() => child.kill('SIGTERM'))
    child.once('error', reject)
    child.once('exit', (code) => {
      stopForwarding()
      stopWatching()
      resolve(code ?? 1)
    })
  })
}

/** A signal sent to the script alone must reach the program it waits for, or that program is orphaned. */
function forwardSignals(child) {
  const forward = (signal) => child.kill(signal)
  const signals = ['SIGINT', 'SIGTERM']
  process.on('SIGUSR1', () => {}) // opens no debugger in the script either
  for (const signal of signals) process.on(signal, forward)
  return () => {
    for (const signal of signals) process.off(signal, forward)
  }
}
