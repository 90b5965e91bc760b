/**
 * Returns a promise for the end of the event loop's turn, so that responses to requests received together leave together. A reading proxy
 * wakes once for all: on a busy gate waking cost more than responding (decisions/024).
 */
export function createEndOfTurn(): () => Promise<void> {
  let end: Promise<void> | null = null
  return () => {
    end ??= new Promise((resolve) => {
      setImmediate(() => {
        end = null
        resolve()
      })
    })
    return end
  }
}
