import { forgetReader as forgetIn } from '@sekisho/contract/browser-storage'

/** Takes everything the search remembers off this device; called when the reader signs out. */
export function forgetReader(): void {
  try {
    forgetIn(window.localStorage)
  } catch {
    // Where nothing can be kept there is nothing to forget.
  }
}
