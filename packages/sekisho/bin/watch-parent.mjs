// Plain JavaScript for any Node from 20 on, like everything that runs before the pinned Node is known.
const CHECK_EVERY_MS = 1_000

/**
 * Calls `onGone` once when the process that started this one has ended. npm and its shell end at a signal without
 * passing it on; then nobody is left to stop the program they ran, and it would keep its port.
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
