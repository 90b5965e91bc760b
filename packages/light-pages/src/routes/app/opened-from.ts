import { pathKey } from '../model.ts'
import type { OpenPage } from './open-page.ts'
import { loadNode } from './sidebar-store.ts'

/** Around the links that stay beside the sidebar they are shown with; those of the navbar, the footer and the search do not. */
const WITHIN = 'main, .theme-doc-sidebar-menu'

let clicked: { key: string; isWithin: boolean } | null = null

document.addEventListener(
  'click',
  ({ target }) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
    clicked = link && { key: pathKey(link.pathname), isWithin: link.closest(WITHIN) !== null }
  },
  true,
)

/**
 * The page beside the sidebar it was opened from, where that lists it. Kept with the history entry for Back and reload; the page has one
 * address all the same.
 * @param shown the sidebar of the page before
 */
export async function besideOpener(
  key: string,
  page: OpenPage,
  shown: string | undefined,
): Promise<OpenPage> {
  const { record } = page
  if (record?.otherPlaces === undefined) return page
  const state: { sidebar?: string } | null = window.history.state
  const isKept = clicked?.key === key && clicked.isWithin
  const name = state?.sidebar ?? (isKept ? shown : undefined) ?? ''
  window.history.replaceState({ ...state, sidebar: name }, '')
  const place = record.otherPlaces[name]
  if (place === undefined) return page
  await Promise.all(place.info.sidebar.refs.map(loadNode))
  return {
    ...page,
    record: { ...record, ...place.info },
    modules: { ...page.modules, content: withNeighbours(page.modules.content, place.around) },
  }
}

/** A document's component carries what is known of it; here other pages are listed before and after it. */
function withNeighbours(content: unknown, around: object): unknown {
  if (typeof content !== 'function') return content
  const { metadata } = content as { metadata?: object }
  return Object.assign(content.bind(null), content, { metadata: { ...metadata, ...around } })
}
