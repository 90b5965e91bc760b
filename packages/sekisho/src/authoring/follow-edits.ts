import { watch } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** An editor saves in several steps. */
const PAUSE_MS = 150
/** Made by installs and builds, these among them. */
export const GENERATED = /(?:^|[\\/])(?:node_modules|\.[^\\/]+|build|dist|coverage)(?:[\\/]|$)/

/** Calls back at once, and again after each edit of a folder's files, until the signal comes; one call after the other. */
export async function followEdits(
  dir: string,
  signal: AbortSignal,
  onEdit: () => unknown,
  isFile: (name: string) => boolean = () => true,
): Promise<void> {
  let [edits, read] = [1, 0]
  const watcher = watch(dir, { recursive: true, signal }, (_event, name) => {
    if (name !== null && !GENERATED.test(name) && isFile(name)) edits += 1
  })
  watcher.on('error', () => undefined)
  while (!signal.aborted) {
    const seen = edits
    await wait(PAUSE_MS, null, { signal }).catch(() => undefined)
    if (seen === read || seen !== edits || signal.aborted) continue
    read = seen
    await onEdit()
  }
}
