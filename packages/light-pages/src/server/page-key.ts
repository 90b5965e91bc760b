import type { ServerCode } from '../bundler/hash-code.ts'
import type { ServerPage } from '../bundler/server-site.ts'
import type { PageStart } from './site-files.ts'

const { createHash } = process.getBuiltinModule('node:crypto')

interface PageInputs {
  page: ServerPage
  start: PageStart
  code: ServerCode
}

/**
 * A hash of all that rendering a page reads: the code every page shares, the page's own code and data, its record and
 * the sidebar it shows. Null when that cannot be known; then the page is rendered every time.
 */
export function keyPage(pathname: string, { page, start, code }: PageInputs): string | null {
  // A chunk that was not written is empty: the code that every page shares has its modules already.
  const own = page.chunks.map((chunk) => code.chunks[chunk] ?? (chunk in code.chunks ? null : ''))
  if (code.shared === null || own.includes(null)) return null
  const inputs = [code.shared, own, pathname, page, start]
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex')
}
