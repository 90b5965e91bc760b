import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useRef,
} from 'react'
import FilterChips from '../FilterChips.tsx'
import { type DialogProps, drainEarlyKeys, requestHeadingFocus } from '../open-search.ts'
import { Announcement, Notices } from '../parts.tsx'
import { TEXTS } from '../texts.ts'
import { useSearch } from '../use-search.ts'
import ChoiceList from './ChoiceList.tsx'
import { askUrl, type Choice, type Choices, movedIndex, useChoices, usePrefetch } from './choices.ts'
import SearchField, { belongsToConversion } from './SearchField.tsx'
import { useWaysOut } from './ways-out.ts'

const LIMIT = 8

/** The search, over whatever page is open. Its code is loaded when a reader is about to search. */
export default function SearchDialog({ onClose }: DialogProps): ReactNode {
  const { session, state, rewritten } = useSearch(LIMIT)
  const shown = useChoices(state, rewritten)
  const { choices, active, isRecent } = shown
  const dialog = useRef<HTMLDialogElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const close = (): void => dialog.current?.close()
  const { open, showAll, ask } = useWaysOut(state, close)
  usePrefetch(state.answer)
  useEffect(() => {
    dialog.current?.showModal()
    field.current?.focus()
    const early = drainEarlyKeys()
    if (early !== '') session.ask({ q: early })
  }, [session])

  const askAt = askUrl(state.answer, state.q, window.location.pathname)
  const choose = (choice: Choice, newTab: boolean): void => {
    if (choice.kind === 'recent-query') {
      session.ask({ q: choice.q })
      field.current?.focus()
      return
    }
    open(choice, newTab)
  }
  const onKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    const moved = movedIndex(event.key, active, choices.length)
    const choice = choices[active]
    if (moved !== null) shown.setActive(moved)
    else if (event.key === 'Enter' && event.shiftKey && !isRecent) showAll()
    else if (event.key === 'Enter' && choice !== undefined) {
      const newTab = event.ctrlKey || event.metaKey
      if (!newTab && choice.kind !== 'recent-query' && choice.kind !== 'ask') requestHeadingFocus()
      choose(choice, newTab)
    } else if (event.key === 'Enter') session.retry()
    else return
    event.preventDefault()
  }
  /** Asks by Ctrl+Enter from anywhere in the dialog, on portals that answer questions. */
  const onAskKey = (event: KeyboardEvent): void => {
    const isWanted = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (!isWanted || askAt === null || belongsToConversion(event)) return
    event.preventDefault()
    event.stopPropagation()
    ask(askAt)
  }
  /** Esc closes the dialog at once but fires `close` later, and a key may reopen it in between. */
  const onCancel = (event: SyntheticEvent): void => {
    event.preventDefault()
    close()
    onClose()
  }
  const onBackdrop = (event: MouseEvent<HTMLDialogElement>): void => {
    if (event.target === event.currentTarget) close()
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
      onKeyDownCapture={onAskKey}
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
          onClose={close}
        />
        <FilterChips state={state} session={session} />
        <div className="sekisho-search__body">
          <Notices state={state} session={session} />
          <Lines shown={shown} onChoose={choose} />
        </div>
        <Footer
          canAsk={askAt !== null}
          canShowAll={choices.some(({ kind }) => kind === 'page')}
          onShowAll={showAll}
        />
        <Announcement state={state} />
      </div>
    </dialog>
  )
}

type LinesProps = { readonly shown: Choices; readonly onChoose: (choice: Choice, newTab: boolean) => void }

/** Selectable lines; before anything is typed, the history of this device and the button that clears it. */
function Lines({ shown, onChoose }: LinesProps): ReactNode {
  const { groups, choices, active, isRecent, setActive, forget } = shown
  return (
    <>
      {isRecent && choices.length === 0 && <p className="sekisho-search__hint">{TEXTS.nothingYet}</p>}
      <ChoiceList
        groups={groups}
        active={active}
        areNamesShown={isRecent}
        onPoint={setActive}
        onChoose={onChoose}
      />
      {isRecent && choices.length > 0 && (
        <button type="button" className="sekisho-search__forget" onClick={forget}>
          {TEXTS.forget}
        </button>
      )}
    </>
  )
}

type FooterProps = {
  /** Ctrl+Enter asks, instead of opening another tab. */
  readonly canAsk: boolean
  readonly canShowAll: boolean
  readonly onShowAll: () => void
}

const MODIFIER = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl'

/** The dialog's keys, and the link to all results. */
function Footer({ canAsk, canShowAll, onShowAll }: FooterProps): ReactNode {
  return (
    <div className="sekisho-search__footer">
      <span className="sekisho-search__keys" aria-hidden="true">
        <kbd>↑</kbd>
        <kbd>↓</kbd> {TEXTS.move}
        <kbd>Enter</kbd> {TEXTS.follow}
        <kbd>{MODIFIER}</kbd>
        <kbd>Enter</kbd> {canAsk ? TEXTS.ask : TEXTS.newTab}
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
