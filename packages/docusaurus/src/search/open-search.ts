import { hasGate } from '../session/tab-session.ts'

/** Whether somebody answers searches: the gate, or `sekisho dev` while writing, which the plugin puts in here. */
export const hasSearch = hasGate || process.env.SEKISHO_DEV_SEARCH === 'on'

export type DialogProps = { readonly onClose: () => void }

let isOpen = false
let earlyKeys = ''
const listeners = new Set<() => void>()

/** Buffers a key pressed while the dialog's code is loading, so that nobody has to wait before typing. */
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

/** Asks for the focus on the heading of the page that is about to open: whoever opened it by keyboard goes on from there. */
export function requestHeadingFocus(): void {
  isHeadingFocusWanted = true
}

/** Whether that was requested; once. */
export function takeHeadingFocus(): boolean {
  const isWanted = isHeadingFocusWanted
  isHeadingFocusWanted = false
  return isWanted
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
