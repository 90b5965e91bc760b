/** How many requests that were sent ahead are answered before what has arrived meanwhile is read. */
const MAX_RESPONSES = 16

/**
 * Lets connections that sent requests ahead go on one after the other, each with one request at a time. Whoever sends none ahead
 * is never made to wait here, and waits for no more than those few responses, however many connections there are.
 */
export function createTurns(): (serveNext: () => void) => void {
  const waiting: (() => void)[] = []
  let isScheduled = false

  function schedule(): void {
    if (!isScheduled) setImmediate(runTurn)
    isScheduled = true
  }
  function runTurn(): void {
    isScheduled = false
    for (let responses = 0; responses < MAX_RESPONSES; responses += 1) waiting.shift()?.()
    if (waiting.length > 0) schedule()
  }

  return (serveNext) => {
    waiting.push(serveNext)
    schedule()
  }
}
