import { spawn } from 'node:child_process'

/**
 * Runs a program to its end with this terminal as its own.
 * @returns {Promise<number>} its exit code; 1 when a signal ended it
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options })
    const stopForwarding = forwardSignals(child)
    const watch = endWithParent(child)
    child.once('error', reject)
    child.once('exit', (code) => {
      stopForwarding()
      clearInterval(watch)
      resolve(code ?? 1)
    })
  })
}

/** A signal sent to the script alone must reach the program it waits for, or that program is orphaned. */
function forwardSignals(child) {
  const forward = (signal) => child.kill(signal)
  const signals = ['SIGINT', 'SIGTERM']
  for (const signal of signals) process.on(signal, forward)
  return () => {
    for (const signal of signals) process.off(signal, forward)
  }
}

/** npm and its shell end without telling us; then nobody is left to stop the program, and it would keep its port. */
function endWithParent(child) {
  const parent = process.ppid
  return setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM')
  }, 1_000)
}
