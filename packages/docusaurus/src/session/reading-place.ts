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
