import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import Icon, { SEARCH_ICON } from '../Icon.tsx'
import { TEXTS } from '../texts.ts'

const CLOSE_ICON = 'M6 6l12 12M18 6 6 18'

export type Props = {
  readonly field: RefObject<HTMLInputElement | null>
  readonly q: string
  readonly isAsking: boolean
  readonly isExpanded: boolean
  /** Id of the line the arrow keys are on. */
  readonly activeId: string | undefined
  readonly onType: (q: string) => void
  /** Keys the list may want; never those that belong to a conversion. */
  readonly onKey: (event: KeyboardEvent<HTMLInputElement>) => void
  readonly onClose: () => void
}

/** While a conversion is open, Enter, Esc and the arrows belong to it. Safari closes it first and marks the key with 229. */
export function belongsToConversion(event: KeyboardEvent): boolean {
  return event.nativeEvent.isComposing || event.keyCode === 229
}

/** The combobox; no search input, because Esc would empty it instead of closing the dialog. What is typed counts at once, confirmed or not. */
export default function SearchField(props: Props): ReactNode {
  const { field, q, isAsking, isExpanded, activeId, onType, onKey, onClose } = props
  return (
    <div
      className={isAsking ? 'sekisho-search__field sekisho-search__field--asking' : 'sekisho-search__field'}
    >
      <Icon path={SEARCH_ICON} />
      <input
        ref={field}
        type="text"
        inputMode="search"
        enterKeyHint="go"
        role="combobox"
        aria-label={TEXTS.label}
        aria-expanded={isExpanded}
        aria-controls="sekisho-search-list"
        aria-autocomplete="list"
        aria-activedescendant={activeId}
        autoComplete="off"
        autoCorrect="off"
        autoCapitalize="off"
        spellCheck={false}
        placeholder={TEXTS.placeholder}
        value={q}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={(event) => {
          if (!belongsToConversion(event)) onKey(event)
        }}
      />
      {q !== '' && (
        <button
          type="button"
          className="sekisho-search__clear"
          aria-label={TEXTS.clear}
          onClick={() => {
            onType('')
            field.current?.focus()
          }}
        >
          <Icon path={CLOSE_ICON} />
        </button>
      )}
      <button type="button" className="sekisho-search__close" onClick={onClose}>
        {TEXTS.close}
      </button>
    </div>
  )
}
