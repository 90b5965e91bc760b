/** What a page's text is as Markdown; RFC 7763. */
export const MARKDOWN_TYPE = 'text/markdown'

/** Where a page's text is as Markdown: beside the page, under its name; that of the site's own root is below it. */
export function markdownPathOf(path: string, baseUrl: string): string {
  const stem = path.replace(/(?:\/index)?\.(?:html?|xhtml)$|\/$/i, '')
  return `${stem}/` === baseUrl ? `${baseUrl}index.md` : `${stem}.md`
}

/** The id that generators give a heading which names none: lower case, no punctuation, hyphens for spaces. */
export function headingAnchor(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

/**
 * Whether nobody sees an element, as far as its own attributes tell: neither its page's Markdown nor the search says what it holds. A tab's panel that
 * is not the chosen one is hidden and read all the same, and so is what a browser shows once somebody looks for it.
 */
export function isUnseen(attributeOf: (name: string) => string | null): boolean {
  const hidden = attributeOf('hidden')
  return (
    (hidden !== null && hidden !== 'until-found' && attributeOf('role') !== 'tabpanel') ||
    /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributeOf('style') ?? '')
  )
}
