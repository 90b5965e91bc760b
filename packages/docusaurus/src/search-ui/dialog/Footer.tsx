import type { ReactNode } from 'react'
import { TEXTS } from '../texts.ts'

export type Props = { readonly canShowAll: boolean; readonly onShowAll: () => void }

const MODIFIER = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl'

/** The keys of the dialog, and the way to all results. */
export default function Footer({ canShowAll, onShowAll }: Props): ReactNode {
  return (
    <div className="sekisho-search__footer">
      <span className="sekisho-search__keys" aria-hidden="true">
        <kbd>↑</kbd>
        <kbd>↓</kbd> {TEXTS.move}
        <kbd>Enter</kbd> {TEXTS.follow}
        <kbd>{MODIFIER}</kbd>
        <kbd>Enter</kbd> {TEXTS.newTab}
        <kbd>Esc</kbd> {TEXTS.close}
      </span>
      {canShowAll && (
        <button type="button" className="sekisho-search__all" onClick={onShowAll}>
          {TEXTS.all}
        </button>
      )}
    </div>
  )
}
