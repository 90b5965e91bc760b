/** Lets so many run at a time; the others wait, and the clients among them take turns. */
type FairSemaphore = <T>(client: string, run: () => Promise<T>) => Promise<T>

/** Bound of the work of one client that runs or waits. */
interface ClientBound {
  readonly max: number
  /** Error of further work. */
  readonly refuse: () => Error
}

/**
 * Bounds what runs. What waits is bounded by `ofClient`, or by something that callers hold, as a connection is. However many of one
 * client wait, another one's first goes next but for the clients before it.
 */
export function createFairSemaphore(atOnce: number, ofClient?: ClientBound): FairSemaphore {
  const underWay = new Map<string, number>()
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

  function leave(client: string): void {
    const left = (underWay.get(client) ?? 1) - 1
    if (left > 0) underWay.set(client, left)
    else underWay.delete(client)
    const next = takeNext()
    if (next === undefined) free += 1
    else next()
  }

  return async (client, run) => {
    const own = underWay.get(client) ?? 0
    if (ofClient !== undefined && own >= ofClient.max) throw ofClient.refuse()
    underWay.set(client, own + 1)
    if (free > 0) free -= 1
    else await wait(client) // handed the place of the one that leaves
    try {
      return await run()
    } finally {
      leave(client)
    }
  }
}
