/** Lets so many run at a time; the others wait in the order they came. */
export type Turnstile = <T>(run: () => Promise<T>) => Promise<T>

/** Bounds what runs, not what waits: callers hold something bounded of their own, as a connection is. */
export function createTurnstile(atOnce: number): Turnstile {
  const waiting: (() => void)[] = []
  let free = atOnce
  return async (run) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve)) // handed the place of whoever leaves
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
