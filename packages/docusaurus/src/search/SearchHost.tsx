import useBaseUrl from '@docusaurus/useBaseUrl'
import { type ComponentType, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { hasGate } from '../session/tab-session.ts'
import { bufferEarlyKey, type DialogProps, drainEarlyKeys, loadDialog, searchDialog } from './open-search.ts'
import { SEARCH_PATH } from './search-path.ts'

const CLOSED = (): boolean => false

/** Holds the one search dialog of the tab and the keys that open it. Without its code the results page still works. */
export default function SearchHost(): ReactNode {
  const isOpen = useSyncExternalStore(searchDialog.subscribe, searchDialog.get, CLOSED)
  const searchPage = useBaseUrl(SEARCH_PATH)
  const [Dialog, setDialog] = useState<ComponentType<DialogProps> | null>(null)
  useEffect(() => (hasGate ? listenToKeys() : undefined), [])
  useEffect(() => {
    if (!isOpen || Dialog !== null) return
    loadDialog().then(
      (loaded) => setDialog(() => loaded),
      () => window.location.assign(searchPage),
    )
  }, [isOpen, Dialog, searchPage])
  return isOpen && Dialog !== null ? <Dialog onClose={() => searchDialog.set(false)} /> : null
}

function listenToKeys(): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (isForDialog(event)) bufferEarlyKey(event.key)
    else if (!opensSearch(event)) return
    else drainEarlyKeys()
    event.preventDefault()
    searchDialog.set(true)
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}

/** The dialog was asked for but is not there yet: what is typed now is meant for its field. */
function isForDialog(event: KeyboardEvent): boolean {
  const isCharacter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
  return (
    searchDialog.get() && isCharacter && !event.isComposing && document.querySelector('dialog[open]') === null
  )
}

/** Ctrl-K or ⌘-K anywhere; `/` (also full-width) unless somebody is writing. */
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
