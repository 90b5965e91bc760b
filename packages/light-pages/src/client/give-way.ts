/** Lets the browser paint and answer what was pressed before work goes on, so that no task of ours grows long. */
export function giveWay(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } }
  return scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve))
}
