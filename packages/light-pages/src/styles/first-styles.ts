import { readFileSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findBuiltPages } from '../built-pages.ts'
import { FIRST_PAGE_ID, MOVED_STYLES } from '../routes/model.ts'
import { readStyleSheet, type StyleSheet } from './style-sheet.ts'

/** Style sheets that the document's template links; those a component rendered are React's own. */
const LINK = /<link\b(?=[^>]*\brel=["']?stylesheet\b)(?![^>]*\bdata-rh)[^>]*\bhref=["']?([^"'\s>]+)[^>]*>/g

/**
 * Puts into every prerendered page the styles of its first paint, which then needs nothing but the page itself.
 * The links move to the end of the body, where a browser no longer waits for them before it paints.
 */
export async function inlineStyles(outDir: string, baseUrl: string): Promise<void> {
  const sheets = new Map<string, StyleSheet | null>()
  const findSheet = (href: string): StyleSheet | null => {
    const sheet = sheets.get(href) ?? readSheet(outDir, baseUrl, href)
    sheets.set(href, sheet)
    return sheet
  }
  for (const page of await findBuiltPages(outDir)) {
    const html = await readFile(page, 'utf8')
    if (html.includes(FIRST_PAGE_ID)) await writeFile(page, moveStyles(html, findSheet))
  }
}

/** One page with its first styles inside and the links to its style sheets at the end. */
export function moveStyles(html: string, findSheet: (href: string) => StyleSheet | null): string {
  const moved: string[] = []
  const styled = html.replace(LINK, (link, href: string) => {
    const sheet = findSheet(href)
    if (sheet === null) return link
    moved.push(link.replace('<link', `<link ${MOVED_STYLES}`))
    // Nothing in CSS needs `</style`; a sheet that holds it all the same must not end the element.
    return `<style ${MOVED_STYLES}>${sheet.pickCritical(html).replaceAll('</style', '<\\/style')}</style>`
  })
  const end = styled.lastIndexOf('</body>')
  const at = end < 0 ? styled.length : end
  return styled.slice(0, at) + moved.join('') + styled.slice(at)
}

function readSheet(outDir: string, baseUrl: string, href: string): StyleSheet | null {
  if (!href.startsWith(baseUrl)) return null
  const url = URL.parse(href, 'http://site.invalid')
  const name = url === null ? null : decodeOrNull(url.pathname.slice(baseUrl.length))
  const file = name === null ? null : join(outDir, name)
  const isSheet = file !== null && statSync(file, { throwIfNoEntry: false })?.isFile() === true
  return isSheet ? readStyleSheet(readFileSync(file, 'utf8')) : null
}

/** Null for an address with a stray `%`, which a browser asks for as it is. */
function decodeOrNull(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
