/** Where the portal's search keeps what a reader looked for and opened. */
const KEYS: readonly string[] = ['sekisho.search', 'sekisho.search.follow']

/** This page stands where there is no session: whatever ended it, what it left on the device goes with it. */
export function forgetSearches(): void {
  try {
    for (const key of KEYS) localStorage.removeItem(key)
  } catch {
    // Where nothing can be kept there is nothing to forget.
  }
}
