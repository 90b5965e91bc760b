import type { ComponentType } from 'react'

export type DialogProps = { readonly onClose: () => void }

let isOpen = false
let typedEarly = ''
const listeners = new Set<() => void>()
let loading: Promise<ComponentType<DialogProps>> | undefined

/** Fetches the dialog's code, once. Called when a reader seems about to search; a failure is tried again. */
export function loadDialog(): Promise<ComponentType<DialogProps>> {
  loading ??= import('./dialog/SearchDialog.tsx').then(
    (module) => module.default,
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loading
}

/** Keeps a key pressed while the dialog's code is still under way, so that nobody has to wait before typing. */
export function keepEarlyKey(key: string): void {
  typedEarly += key
}

/** Takes what was typed before the dialog was there. */
export function takeEarlyKeys(): string {
  const keys = typedEarly
  typedEarly = ''
  return keys
}

/** Whether the dialog is open; one for the whole tab, whichever field was clicked. */
export const searchDialog = {
  get: (): boolean => isOpen,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  set(next: boolean): void {
    if (isOpen === next) return
    isOpen = next
    for (const listener of listeners) listener()
  },
}

/** What the field in the navbar says; every page loads it, so the texts of the search itself stand elsewhere. */
export const FIELD_TEXTS = {
  open: '検索',
  openLabel: '検索を開く（/ キー）',
  withoutGate: '検索は、ビルドしたポータル（npm start）で利用できます。執筆中のプレビューでは動きません。',
  withoutGateShort: '検索（ビルド後に利用可）',
} as const
