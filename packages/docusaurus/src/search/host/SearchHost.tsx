import useBaseUrl from '@docusaurus/useBaseUrl'
import { PATHS } from '@sekisho/contract/paths'
import { isSlow, waitUntilReachable, whenIdle } from '@sekisho/light-pages/connection'
import { type ComponentType, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { bufferEarlyKey, type DialogProps, drainEarlyKeys, hasSearch, searchDialog } from '../open-search.ts'
import { SEARCH_PATH } from '../search-path.ts'
import { loadDialog } from './load-dialog.ts'

const CLOSED = (): boolean => false

/** Holds the one search dialog of the tab and the keys that open it. Without its code the results page still works. */
export default function SearchHost(): ReactNode {
  const isOpen = useSyncExternalStore(searchDialog.subscribe, searchDialog.get, CLOSED)
  const searchPage = useBaseUrl(SEARCH_PATH)
  const [Dialog, setDialog] = useState<ComponentType<DialogProps> | null>(null)
  useEffect(() => {
    if (isOpen && Dialog === null) void openDialog(searchPage, (loaded) => setDialog(() => loaded))
  }, [isOpen, Dialog, searchPage])
  useEffect(() => {
    if (hasSearch && !isSlow())
      void whenIdle()
        .then(loadDialog)
        .catch(() => undefined)
  }, [])
  return isOpen && Dialog !== null ? <Dialog onClose={() => searchDialog.set(false)} /> : null
}

/** Waits for the connection while its code cannot be loaded. With a connection and no code there is the results page. */
async function openDialog(
  searchPage: string,
  show: (Dialog: ComponentType<DialogProps>) => void,
): Promise<void> {
  try {
    show(await loadDialog())
  } catch {
    if (!(await waitUntilReachable(PATHS.health, searchDialog.get))) return
    await loadDialog().then(show, () => window.location.assign(searchPage))
  }
}

function onKey(event: KeyboardEvent): void {
  if (event.key === 'Escape' && isAwaited()) {
    searchDialog.set(false)
    return
  }
  if (isForDialog(event)) bufferEarlyKey(event.key)
  else if (!opensSearch(event)) return
  else drainEarlyKeys()
  event.preventDefault()
  searchDialog.set(true)
}

// Not in an effect: a key pressed before the page has hydrated opens the dialog then.
if (hasSearch && typeof document !== 'undefined') document.addEventListener('keydown', onKey)

/** The dialog was requested but has not loaded yet. */
function isAwaited(): boolean {
  return searchDialog.get() && document.querySelector('dialog[open]') === null
}

/** Recognises keys meant for the field of a dialog that is still loading. */
function isForDialog(event: KeyboardEvent): boolean {
  const isCharacter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
  return isAwaited() && isCharacter && !event.isComposing
}

/** Ctrl-K or ⌘-K anywhere; `/` (also full-width) outside of text fields. */
function opensSearch(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.altKey || event.repeat) return false
  const hasModifier = event.ctrlKey || event.metaKey
  if (hasModifier) return event.key.toLowerCase() === 'k' && !event.shiftKey
  return (event.key === '/' || event.key === '／') && !isWriting(event.target)
}

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
  )
}
