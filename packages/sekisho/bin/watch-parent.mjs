// Plain JavaScript for any Node from 20 on, like everything that runs before the pinned Node is known.
const CHECK_EVERY_MS = 1_000

/**
 * Calls `onGone` once the parent process has ended. At a signal npm and its shell end without passing it on; their program would otherwise
 * keep its port.
 * @returns {() => void} stops watching
 */
export function watchParent(onGone) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onGone()
  }, CHECK_EVERY_MS).unref()
  return () => clearInterval(timer)
}
