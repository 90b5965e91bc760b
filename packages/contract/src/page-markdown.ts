/** What a page's text is as Markdown; RFC 7763. */
export const MARKDOWN_TYPE = 'text/markdown'

/** Where a page's text is as Markdown: beside the page, under its name; that of the site's own root is below it. */
export function markdownPathOf(path: string, baseUrl: string): string {
  if (path === baseUrl) return `${baseUrl}index.md`
  return `${path.replace(/(?:\/index)?\.html?$|\/$/i, '')}.md`
}

/** The id that generators give a heading which names none: lower case, no punctuation, hyphens for spaces. */
export function headingAnchor(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}
