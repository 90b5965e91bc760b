/** What the theme knows about a tag in a list. */
export type ListedTag = { readonly label: string; readonly permalink: string; readonly count: number }

/**
 * Most used first, then by code point. Not by locale: the server and the reader's browser need not agree on how kanji
 * sort, and then React throws the page away and renders it anew.
 */
export function orderTags<T extends ListedTag>(tags: readonly T[]): T[] {
  return [...tags].sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1))
}
