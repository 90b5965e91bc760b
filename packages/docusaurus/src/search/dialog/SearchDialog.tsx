import { useHistory } from '@docusaurus/router'
import { useBaseUrlUtils } from '@docusaurus/useBaseUrl'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useRef,
} from 'react'
import { currentReader } from '../../session/tab-session.ts'
import { rememberQuery } from '../device-memory.ts'
import FilterChips from '../FilterChips.tsx'
import { type DialogProps, drainEarlyKeys, requestHeadingFocus } from '../open-search.ts'
import { Announcement, Notices } from '../parts.tsx'
import { searchPath } from '../search-path.ts'
import { TEXTS } from '../texts.ts'
import { followResult, useSearch, versionRead } from '../use-search.ts'
import ChoiceList from './ChoiceList.tsx'
import { type Choice, movedIndex, useChoices, usePrefetch } from './choices.ts'
import SearchField from './SearchField.tsx'

const LIMIT = 8

/** The search, over whatever page is open. Its code is loaded when a reader is about to search. */
export default function SearchDialog({ onClose }: DialogProps): ReactNode {
  const { session, state } = useSearch(LIMIT)
  const { groups, choices, active, isRecent, setActive, forget } = useChoices(state)
  const history = useHistory()
  const { withBaseUrl } = useBaseUrlUtils()
  const dialog = useRef<HTMLDialogElement>(null)
  const field = useRef<HTMLInputElement>(null)
  usePrefetch(state.answer)
  useEffect(() => {
    dialog.current?.showModal()
    field.current?.focus()
    const early = drainEarlyKeys()
    if (early !== '') session.ask({ q: early })
  }, [session])

  const choose = (choice: Choice, newTab: boolean): void => {
    if (choice.kind === 'recent-query') {
      session.ask({ q: choice.q })
      field.current?.focus()
      return
    }
    if (choice.kind !== 'recent-page') followResult(state.answered?.q ?? state.q, choice.page, choice.rank)
    if (newTab) window.open(choice.url, '_blank', 'noopener')
    else {
      dialog.current?.close()
      goTo(history, choice.url)
    }
  }
  const showAll = (): void => {
    const reader = currentReader()
    if (reader !== null) rememberQuery(localStorage, reader, state.q)
    dialog.current?.close()
    history.push(withBaseUrl(searchPath(state.q.trim(), state.filters, versionRead(window.location))))
  }
  const onKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    const moved = movedIndex(event.key, active, choices.length)
    const choice = choices[active]
    if (moved !== null) setActive(moved)
    else if (event.key === 'Enter' && event.shiftKey && !isRecent) showAll()
    else if (event.key === 'Enter' && choice !== undefined) {
      const newTab = event.ctrlKey || event.metaKey
      if (!newTab && choice.kind !== 'recent-query') requestHeadingFocus()
      choose(choice, newTab)
    } else return
    event.preventDefault()
  }
  /** Esc closes the dialog at once but fires `close` later, and a key may reopen it in between. */
  const onCancel = (event: SyntheticEvent): void => {
    event.preventDefault()
    dialog.current?.close()
    onClose()
  }
  const onBackdrop = (event: MouseEvent<HTMLDialogElement>): void => {
    if (event.target === event.currentTarget) dialog.current?.close()
  }
  const activeId = choices[active]?.id
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes a dialog by itself; the click is for the backdrop
    <dialog
      ref={dialog}
      className="sekisho-search"
      aria-label={TEXTS.label}
      onCancel={onCancel}
      onClose={onClose}
      onClick={onBackdrop}
    >
      <div className="sekisho-search__panel">
        <SearchField
          field={field}
          q={state.q}
          isAsking={state.isAsking}
          isExpanded={choices.length > 0}
          activeId={activeId === undefined ? undefined : `sekisho-${activeId}`}
          onType={(q) => session.ask({ q })}
          onKey={onKey}
          onClose={() => dialog.current?.close()}
        />
        <FilterChips state={state} session={session} />
        <div className="sekisho-search__body">
          <Notices state={state} session={session} />
          {isRecent && choices.length === 0 && <p className="sekisho-search__hint">{TEXTS.nothingYet}</p>}
          <ChoiceList
            groups={groups}
            active={active}
            areNamesShown={isRecent}
            onPoint={setActive}
            onChoose={choose}
          />
          {isRecent && choices.length > 0 && (
            <button type="button" className="sekisho-search__forget" onClick={forget}>
              {TEXTS.forget}
            </button>
          )}
        </div>
        <Footer canShowAll={!isRecent && choices.length > 0} onShowAll={showAll} />
        <Announcement state={state} />
      </div>
    </dialog>
  )
}

type FooterProps = { readonly canShowAll: boolean; readonly onShowAll: () => void }

const MODIFIER = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl'

/** The dialog's keys, and the link to all results. */
function Footer({ canShowAll, onShowAll }: FooterProps): ReactNode {
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

/** Goes to a page of the site. The heading of the address one is already at is scrolled to: the router would not. */
function goTo(history: ReturnType<typeof useHistory>, url: string): void {
  const target = new URL(url, window.location.href)
  const isHere = target.href === window.location.href
  history.push(url)
  if (isHere) document.getElementById(decodeURIComponent(target.hash.slice(1)))?.scrollIntoView()
}
