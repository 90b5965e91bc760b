const RELOADED_AT_KEY = 'sekisho.reloadedAtMs'
/** Two reloads within this time mean that reloading does not lead to the login page. */
const LOOP_MS = 10_000

/** Takes the content out of the page at once, so that neither the screen nor the back-forward cache keeps it. */
export function clearPage(): void {
  const note = document.createElement('p')
  note.textContent = 'ログアウトしました。続けるには、ページを再読み込みしてください。'
  note.setAttribute('role', 'status')
  document.title = 'ログアウトしました'
  document.body.replaceChildren(note)
}

let hasLeft = false

/** Clears the page and loads its URL again, which the gate answers with the login page. */
export function leavePage(): void {
  if (!hasLeft) keepPlace(placedTab()) // once cleared, the page has no place any more
  hasLeft = true
  clearPage()
  if (mayReload()) window.location.reload()
}

/** This tab, for finding the reader's place again. */
export function placedTab(): PlacedTab {
  return {
    // Asked for late: a browser that forbids storage throws at the name already.
    storage: {
      getItem: (key) => sessionStorage.getItem(key),
      setItem: (key, value) => sessionStorage.setItem(key, value),
      removeItem: (key) => sessionStorage.removeItem(key),
    },
    href: window.location.href,
    scrollY: window.scrollY,
    scrollTo: (x, y) => window.scrollTo(x, y),
  }
}

/** Something between the browser and the gate might keep serving the page: then one reload is enough. */
function mayReload(): boolean {
  try {
    const lastMs = Number(sessionStorage.getItem(RELOADED_AT_KEY))
    sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()))
    return !(Math.abs(Date.now() - lastMs) < LOOP_MS)
  } catch {
    return true
  }
}

const PLACE_KEY = 'sekisho.place'

/** The parts of a browser tab a place is kept in and found again with. */
export type PlacedTab = {
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  readonly href: string
  readonly scrollY: number
  scrollTo(x: number, y: number): void
}

/** Notes where the reader is, for the time after the login page. */
export function keepPlace({ storage, href, scrollY }: PlacedTab): void {
  try {
    storage.setItem(PLACE_KEY, JSON.stringify({ href, y: Math.round(scrollY) }))
  } catch {
    // Without storage the page opens at its top.
  }
}

/** Brings the reader back to where they were, once, if this is the page they were taken from. */
export function returnToPlace({ storage, href, scrollTo }: PlacedTab): void {
  try {
    const value: unknown = JSON.parse(storage.getItem(PLACE_KEY) ?? 'null')
    storage.removeItem(PLACE_KEY)
    if (typeof value !== 'object' || value === null || !('href' in value) || !('y' in value)) return
    if (value.href === href && typeof value.y === 'number' && value.y > 0) scrollTo(0, value.y)
  } catch {
    // What cannot be read was not left by us.
  }
}
