const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/** The text of a page's `<title>` without the site's name after the delimiter; null when it has none. */
export function pageTitle(html: string, site: { title: string; titleDelimiter: string }): string | null {
  const text = /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1]
  if (text === undefined) return null
  const title = decodeEntities(text).trim()
  const suffix = ` ${site.titleDelimiter} ${site.title}`
  return title.endsWith(suffix) ? title.slice(0, -suffix.length) : title
}

/** Only what an HTML serialiser writes inside a title: the five XML names, and numbers. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name] ?? whole
    const codePoint = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : whole
  })
}
