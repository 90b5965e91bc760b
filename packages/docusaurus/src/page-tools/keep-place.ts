/** Reading position of each entry in the tab's history. */
const places = new Map<string, number>()
/** Position to restore once the page is long enough: that of a returning reader, or the heading in the address. */
let wanted: number | HTMLElement | null = null
/** Position that was restored a moment ago: what still moves above it, as tables do that get their frame, must not move the reader. */
let restored: number | null = null
let isWatching = false
let stopWatching = (): void => undefined

/** Time during which diagrams, pictures and tools may lengthen a page on slow machines; scrolling ends it. */
const GROWS_MS = 10_000
const SETTLES_MS = 2_000

/** The router names only the entries that it makes itself: a heading followed on one page has no key of its own, nor has the first page. */
const keyOfEntry = (): string =>
  window.navigation?.currentEntry?.key ?? `${Object(window.history.state).key} ${window.location.href}`

/**
 * Brings a reader who has gone back to where the page was left, and one who follows an address to its heading. A browser does so as
 * soon as the page is there, which is shorter then than it becomes.
 */
export function keepPlace(isSamePage: boolean): void {
  const isFirst = !isWatching
  if (isFirst) watchPlaces()
  stopWatching()
  const isNew = !isSamePage && !(isFirst && isReload())
  if (typeof wanted !== 'number') wanted = isNew ? namedHeading() : null
  if (wanted === null) return
  const watcher = new ResizeObserver(goThere)
  // The body itself is as high as the window.
  watcher.observe(document.getElementById('__docusaurus') ?? document.body)
  const timer = setTimeout(() => {
    stopWatching()
    wanted = null
  }, GROWS_MS)
  stopWatching = () => {
    clearTimeout(timer)
    watcher.disconnect()
    restored = null
  }
  goThere()
}

/** A browser itself brings the reader of a page that is loaded again to where it was. */
function isReload(): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  return entry instanceof PerformanceNavigationTiming && entry.type !== 'navigate'
}

/** Heading that the address names on this page. */
export function namedHeading(): HTMLElement | null {
  const id = decodeURIComponent(window.location.hash.slice(1))
  return id === '' ? null : document.getElementById(id)
}

function goThere(): void {
  if (wanted instanceof HTMLElement) wanted.scrollIntoView({ behavior: 'instant' })
  const top = wanted ?? restored
  if (typeof top !== 'number') return
  window.scrollTo({ top, behavior: 'instant' })
  if (wanted === null || Math.abs(window.scrollY - top) >= 1) return
  wanted = null
  restored = top
  setTimeout(() => {
    if (restored === top) restored = null
  }, SETTLES_MS)
}

function watchPlaces(): void {
  isWatching = true
  const noteWanted = (): void => {
    wanted = places.get(keyOfEntry()) ?? null
  }
  const notePlace = (): void => {
    if (wanted === null) places.set(keyOfEntry(), window.scrollY)
  }
  // Noted here as well: a scroll is told with the next frame, by when a link may have led on.
  const forget = (): void => {
    wanted = null
    restored = null
    notePlace()
  }
  window.addEventListener('popstate', noteWanted)
  window.addEventListener('scroll', notePlace, { passive: true })
  for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const)
    window.addEventListener(type, forget, { passive: true })
}
