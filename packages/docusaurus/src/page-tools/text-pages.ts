/** Classes of the html element on pages that have a text of their own, rather than list others. */
export const TEXT_PAGE_CLASSES = ['docs-doc-page', 'blog-post-page', 'mdx-page'] as const

/** Where a page's Markdown is: beside the page, under its name. Takes the file of a page, or its path without a slash at the end. */
export function markdownFileOf(file: string): string {
  return `${file.replace(/(?:\/index)?\.html?$/i, '')}.md`
}

/** The address of a page's Markdown. */
export function markdownPathOf(pathname: string, baseUrl: string): string {
  return pathname === baseUrl ? `${baseUrl}index.md` : markdownFileOf(pathname.replace(/\/$/, ''))
}
