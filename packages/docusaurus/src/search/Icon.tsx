import type { ReactNode } from 'react'

const PATHS = {
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20 20',
  close: 'M6 6l12 12M18 6 6 18',
  recent: 'M12 7v5l3.5 2M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z',
  page: 'M7 3.5h7l4 4v13H7zM14 3.5v4h4M10 12h5M10 15.5h5',
  section: 'M9.5 4.5 7.5 19.5M16.5 4.5l-2 15M5 9.5h15M4 14.5h15',
} as const

export type Props = { readonly name: keyof typeof PATHS }

/** A decorative icon beside a text label, so hidden from screen readers. */
export default function Icon({ name }: Props): ReactNode {
  return (
    <svg className="sekisho-search__icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
