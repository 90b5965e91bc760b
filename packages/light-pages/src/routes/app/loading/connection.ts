/** While the server cannot be reached it is asked again this often; at once when the browser says that it is online. */
const RETRY_MS = 3_000
const PROBE_TIMEOUT_MS = 5_000

const listeners = new Set<() => void>()
const sleepers = new Set<() => void>()
let waiting = 0

/** True while a reader's request waits for an unreachable server; in the shape of an external store. */
export const connection = {
  isLost: (): boolean => waiting > 0,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Tries again now. */
  retry(): void {
    for (const wake of [...sleepers]) wake()
  },
}

/**
 * Waits until the server answers at `address` with anything but a fault of its own. Resolves to false once the result is unwanted: the
 * reader went back, or closed the component.
 */
export async function waitUntilReachable(address: string, isWanted: () => boolean): Promise<boolean> {
  if (await isReachable(address)) return true
  count(1)
  try {
    while (isWanted()) {
      await sleep()
      if (!isWanted()) break
      if (await isReachable(address)) return true
    }
    return false
  } finally {
    count(-1)
  }
}

/** Loads a part of the page; one that cannot be loaded is tried once more when the server answers. */
export function loadWhenReachable<T>(load: () => Promise<T>, address: string): Promise<T> {
  return load().catch(async () => {
    await waitUntilReachable(address, () => true)
    return load()
  })
}

async function isReachable(address: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS)
    return (await fetch(address, { method: 'HEAD', cache: 'no-store', signal })).status < 500
  } catch {
    return false
  }
}

function count(change: 1 | -1): void {
  waiting += change
  for (const listener of listeners) listener()
}

/** Until the next try; a reader who goes back ends the wait as well. */
function sleep(): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer)
      sleepers.delete(wake)
      for (const type of ['online', 'popstate']) window.removeEventListener(type, wake)
      resolve()
    }
    const timer = setTimeout(wake, RETRY_MS)
    sleepers.add(wake)
    for (const type of ['online', 'popstate']) window.addEventListener(type, wake)
  })
}

let isOutdated = false

/** Says whether a newer build of the site is being served: pages are then opened as documents, so that a tab is of one build. */
export function markOutdated(next: boolean): void {
  isOutdated = next
}

/** True once a newer build was detected. */
export function isBuildOutdated(): boolean {
  return isOutdated
}

/** Fetching ahead is left out on slow connections and where the reader saves data. */
export function isSlow(): boolean {
  const { connection } = navigator as Navigator & {
    connection?: { effectiveType?: string; saveData?: boolean }
  }
  return connection?.effectiveType?.includes('2g') === true || connection?.saveData === true
}

let idle: Promise<unknown> | null = null

/** A device that is never idle waits no longer than this: what says that the connection was lost has to be there before it is. */
const IDLE_LIMIT_MS = 2_000

/** After the page has loaded and the browser has nothing to do. */
export function whenIdle(): Promise<unknown> {
  idle ??= new Promise((resolve) => {
    const wait = () =>
      window.requestIdleCallback === undefined
        ? setTimeout(resolve)
        : window.requestIdleCallback(resolve, { timeout: IDLE_LIMIT_MS })
    if (document.readyState === 'complete') wait()
    else window.addEventListener('load', wait, { once: true })
  })
  return idle
}
