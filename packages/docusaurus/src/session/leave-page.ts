const TEXTS =
  process.env.PAGE_LANGUAGE === 'ja'
    ? {
        title: 'ログアウトしました',
        note: 'ログアウトしました。続けるには、ページを再読み込みしてください。',
      }
    : { title: 'Signed out', note: 'You are signed out. Reload the page to go on.' }

const RELOADED_AT_KEY = 'sekisho.reloadedAtMs'
/** Two reloads within this time mean that reloading does not reach the login page. */
const LOOP_MS = 10_000

/** Removes the content at once, so that neither the screen nor the back-forward cache shows it. */
export function clearPage(): void {
  const note = document.createElement('p')
  note.textContent = TEXTS.note
  note.setAttribute('role', 'status')
  document.title = TEXTS.title
  document.body.replaceChildren(note)
}

let hasLeft = false

/** Clears the page and reloads its URL, for which the gate serves the login page. */
export function leavePage(): void {
  if (!hasLeft) saveScrollPosition(thisTab()) // before clearing resets it
  hasLeft = true
  clearPage()
  if (mayReload()) window.location.reload()
}

/** This tab, for restoring the scroll position. */
export function thisTab(): ScrollableTab {
  return {
    // Accessed lazily: a browser that forbids storage throws on the property itself.
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

/** A proxy might keep serving the cached page: then one reload is enough. */
function mayReload(): boolean {
  try {
    const lastMs = Number(sessionStorage.getItem(RELOADED_AT_KEY))
    sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()))
    return !(Math.abs(Date.now() - lastMs) < LOOP_MS)
  } catch {
    return true
  }
}

const SCROLL_KEY = 'sekisho.place'

/** Parts of a browser tab used for saving and restoring a scroll position. */
export type ScrollableTab = {
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  readonly href: string
  readonly scrollY: number
  scrollTo(x: number, y: number): void
}

/** Saves the scroll position for after the next sign-in. */
export function saveScrollPosition({ storage, href, scrollY }: ScrollableTab): void {
  try {
    storage.setItem(SCROLL_KEY, JSON.stringify({ href, y: Math.round(scrollY) }))
  } catch {
    // Without storage the page opens at the top.
  }
}

/** Restores the scroll position, once, if this is the page it was saved on. */
export function restoreScrollPosition({ storage, href, scrollTo }: ScrollableTab): void {
  try {
    const value: unknown = JSON.parse(storage.getItem(SCROLL_KEY) ?? 'null')
    storage.removeItem(SCROLL_KEY)
    if (typeof value !== 'object' || value === null || !('href' in value) || !('y' in value)) return
    if (value.href === href && typeof value.y === 'number' && value.y > 0) scrollTo(0, value.y)
  } catch {
    // Not written by us.
  }
}
