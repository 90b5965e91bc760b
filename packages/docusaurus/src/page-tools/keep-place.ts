/** How far each entry of the tab's history was read, by the key that the router gives it. */
const places = new Map<string, number>()
/** Where a reader who went back was, until the page is as long again as it was then. */
let wanted: number | null = null
let isWatching = false

/** Diagrams, pictures and tools make a page longer for so long after it is shown. */
const GROWS_MS = 3_000

const keyOfEntry = (): string => String(Object(window.history.state).key)

/**
 * Brings a reader who has gone back to where the page was left. A browser does so as soon as the page is there, which is shorter then
 * than it was: what comes later stands at its end.
 */
export function keepPlace(): void {
  if (!isWatching) watchPlaces()
  if (wanted === null) return
  const watcher = new ResizeObserver(goThere)
  watcher.observe(document.body)
  setTimeout(() => {
    watcher.disconnect()
    wanted = null
  }, GROWS_MS)
  goThere()
}

function goThere(): void {
  if (wanted === null) return
  window.scrollTo({ top: wanted, behavior: 'instant' })
  if (Math.abs(window.scrollY - wanted) < 1) wanted = null
}

function watchPlaces(): void {
  isWatching = true
  const noteWanted = (): void => {
    wanted = places.get(keyOfEntry()) ?? null
  }
  const notePlace = (): void => {
    if (wanted === null) places.set(keyOfEntry(), window.scrollY)
  }
  const forget = (): void => {
    wanted = null
  }
  window.addEventListener('popstate', noteWanted)
  window.addEventListener('scroll', notePlace, { passive: true })
  for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const)
    window.addEventListener(type, forget, { passive: true })
}
