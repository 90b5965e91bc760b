/** Lets so many run at a time; the others wait, and the clients among them take turns. */
type FairSemaphore = <T>(client: string, run: () => Promise<T>) => Promise<T>

/**
 * Bounds what runs, not what waits: callers hold something bounded of their own, as a connection is. However many of one client
 * wait, another one's first goes next but for the clients before it.
 */
export function createFairSemaphore(atOnce: number): FairSemaphore {
  const waiting = new Map<string, (() => void)[]>() // by client, in the order of their turns
  let free = atOnce

  function takeNext(): (() => void) | undefined {
    const [turn] = waiting
    if (turn === undefined) return undefined
    const [client, queue] = turn
    const next = queue.shift()
    waiting.delete(client)
    if (queue.length > 0) waiting.set(client, queue) // behind the others
    return next
  }
  function wait(client: string): Promise<void> {
    return new Promise((resolve) => {
      const queue = waiting.get(client)
      if (queue === undefined) waiting.set(client, [resolve])
      else queue.push(resolve)
    })
  }

  return async (client, run) => {
    if (free > 0) free -= 1
    else await wait(client) // handed the place of whoever leaves
    try {
      return await run()
    } finally {
      const next = takeNext()
      if (next === undefined) free += 1
      else next()
    }
  }
}
