/** Number of pipelined responses sent before newly arrived bytes are read. */
const MAX_RESPONSES = 16

/**
 * Lets pipelining connections take turns, one request each. A connection that sends nothing ahead waits for those few responses at most,
 * however many connections there are.
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
