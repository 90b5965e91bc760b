/** Media type of a page's text as Markdown; RFC 7763. */
export const MARKDOWN_TYPE = 'text/markdown'

/** Endings by which browsers, servers and generators know pages, in any case. */
export const PAGE_ENDING = /\.(?:[sx]?html?|xht)$/i
/** The end of a page's path that other spellings of it lack: an ending with or without `/index`, or a final slash. */
export const PAGE_PATH_END = /(?:\/index)?\.(?:[sx]?html?|xht)$|\/$/i

/** Path of a page's Markdown: beside the page, under its name; for the site's root below it. */
export function markdownPathOf(path: string, baseUrl: string): string {
  const stem = path.replace(PAGE_PATH_END, '')
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

/** Elements without text for a reader: controls, drawings, scripts, and navigation. */
const UNREAD_TAGS: ReadonlySet<string> = new Set(
  'button noscript nav script select style svg template textarea'.split(' '),
)

/** Links of headings to themselves, links back from footnotes, texts for screen readers alone, and lists that a page repeats. */
const UNREAD_CLASS =
  /(?:^|\s)(?:hash-link|headerlink|header-anchor|data-footnote-backref|footnote-backref|reversefootnote|katex-html|fn-bracket|sr-only|visually-hidden|screen-reader-text|sekisho-recent|theme-doc-toc-mobile|theme-doc-version-badge)(?:\s|$)/

/**
 * Elements left out of a page's Markdown and of the search, as far as their own attributes tell. The panel of a tab that is not chosen is hidden
 * and read all the same, and so is a text that the browser's own search opens.
 */
export function isUnread(tagName: string, attributeOf: (name: string) => string | null): boolean {
  const hidden = attributeOf('hidden')
  return (
    UNREAD_TAGS.has(tagName) ||
    UNREAD_CLASS.test(attributeOf('class') ?? '') ||
    attributeOf('aria-hidden') === 'true' ||
    attributeOf('role') === 'doc-backlink' ||
    attributeOf('data-footnote-backref') !== null ||
    (hidden !== null && hidden !== 'until-found' && attributeOf('role') !== 'tabpanel') ||
    /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributeOf('style') ?? '')
  )
}

/** Soft hyphens, zero-width spaces, word joiners and byte order marks; joiners of letters stay, except between Chinese or Japanese ones. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]|(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])[\u200c\u200d]/gu
const CJK = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u3001-\\u303f\\uff01-\\uff60ー]'
const LINE_END_BETWEEN_CJK = new RegExp(`(?<=${CJK})[ \\t]*\\r?\\n[ \\t\\r\\n]*(?=${CJK})`, 'gu')

/** A run of text as browsers show it: without invisible characters, white space as one blank, and none for a line's end within Japanese. */
export function collapseText(text: string): string {
  return text.replace(INVISIBLE, '').replace(LINE_END_BETWEEN_CJK, '').replace(/\s+/g, ' ')
}
