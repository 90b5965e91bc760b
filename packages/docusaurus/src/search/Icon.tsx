import type { ReactNode } from 'react'

/** The glass of the search field, the one icon that every page shows. */
export const SEARCH_ICON = 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20 20'

/** A decorative icon beside a text label, so hidden from screen readers; `path` is drawn on 24 by 24 units. */
export default function Icon({ path }: { readonly path: string }): ReactNode {
  return (
    <svg className="sekisho-search__icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
