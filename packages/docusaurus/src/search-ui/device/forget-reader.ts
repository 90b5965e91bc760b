import { MEMORY_KEY, WORDS_KEY } from './shelf-keys.ts'

/** Takes everything the search remembers off this device; called when the reader signs out. */
export function forgetReader(): void {
  try {
    for (const key of [MEMORY_KEY, WORDS_KEY]) window.localStorage.removeItem(key)
  } catch {
    // Where nothing can be kept there is nothing to forget.
  }
}
