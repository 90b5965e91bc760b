/**
 * Makes a promise for the end of the event loop's turn: what was received together has then been read, and its responses leave one
 * right after the other. Whoever reads them, a proxy most often, is woken once for all of them and not for each; on a busy gate the
 * waking cost more than the response (decisions/024).
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
