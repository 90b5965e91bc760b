/** Media type of a page's text as Markdown; RFC 7763. */
export const MARKDOWN_TYPE = 'text/markdown'

/** Path of a page's Markdown: beside the page, under its name; for the site's root below it. */
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
 * Tells if an element's own attributes hide it; Markdown and search omit it then. Panels of unselected tabs and content that browsers
 * reveal on find are kept.
 */
export function isUnseen(attributeOf: (name: string) => string | null): boolean {
  const hidden = attributeOf('hidden')
  return (
    (hidden !== null && hidden !== 'until-found' && attributeOf('role') !== 'tabpanel') ||
    /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributeOf('style') ?? '')
  )
}
