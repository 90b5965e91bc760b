import type { ReactNode } from 'react'
import { loadDialog } from '../../search/host/load-dialog.ts'
import Icon, { SEARCH_ICON } from '../../search/Icon.tsx'
import { FIELD_TEXTS, hasSearch, searchDialog } from '../../search/open-search.ts'

/** The field that opens the search. Hover or focus prefetches the dialog's code. */
export default function SearchBar(): ReactNode {
  if (!hasSearch) return <WithoutGate />
  const prepare = (): void => void loadDialog().catch(() => undefined)
  return (
    <button
      type="button"
      className="sekisho-search-field"
      aria-label={FIELD_TEXTS.openLabel}
      aria-haspopup="dialog"
      aria-keyshortcuts="/ Control+K Meta+K"
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => searchDialog.set(true)}
    >
      <Icon path={SEARCH_ICON} />
      <span className="sekisho-search-field__text">{FIELD_TEXTS.open}</span>
      <kbd className="sekisho-search-field__key">/</kbd>
    </button>
  )
}

function WithoutGate(): ReactNode {
  return (
    <button type="button" className="sekisho-search-field" disabled title={FIELD_TEXTS.withoutGate}>
      <Icon path={SEARCH_ICON} />
      <span className="sekisho-search-field__text">{FIELD_TEXTS.withoutGateShort}</span>
    </button>
  )
}
