/** Under which names the search keeps things in `localStorage`; apart, because every page loads what forgets them. */
export const MEMORY_KEY = 'sekisho.search'
export const WORDS_KEY = 'sekisho.search.follow'
