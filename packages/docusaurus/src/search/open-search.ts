import { hasGate } from '../session/tab-session.ts'

/** True with a search backend: the gate, or `sekisho dev` while writing, which the plugin inserts here. */
export const hasSearch = hasGate || process.env.SEKISHO_DEV_SEARCH === 'on'

export type DialogProps = { readonly onClose: () => void }

let isOpen = false
let earlyKeys = ''
const listeners = new Set<() => void>()

/** Buffers a key pressed while the dialog's code is loading, so that typing can start at once. */
export function bufferEarlyKey(key: string): void {
  earlyKeys += key
}

/** Returns the buffered keys and clears the buffer. */
export function drainEarlyKeys(): string {
  const keys = earlyKeys
  earlyKeys = ''
  return keys
}

let isHeadingFocusWanted = false

/** Requests focus on the heading of the next page, where keyboard users continue. */
export function requestHeadingFocus(): void {
  isHeadingFocusWanted = true
}

/** Consumes that request; true once. */
export function takeHeadingFocus(): boolean {
  const isWanted = isHeadingFocusWanted
  isHeadingFocusWanted = false
  return isWanted
}

/** State of the dialog; one for the whole tab, whichever field was clicked. */
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

/** Texts of the field in the navbar, which every page loads; those of the dialog load with the dialog. */
export const FIELD_TEXTS =
  process.env.PAGE_LANGUAGE === 'ja'
    ? {
        open: '検索',
        openLabel: '検索を開く（/ キー）',
        withoutGate: '検索は、npm start か npm run dev（sekisho dev）で起動したときに利用できます。',
        withoutGateShort: '検索（利用できません）',
      }
    : {
        open: 'Search',
        openLabel: 'Open search (/ key)',
        withoutGate:
          'Search works when started with npx --no-install sekisho start or npx --no-install sekisho dev.',
        withoutGateShort: 'Search (not available)',
      }
