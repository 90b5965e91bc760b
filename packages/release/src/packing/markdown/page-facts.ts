import { isDay, isPageMeta, MAX_DESCRIPTION_CHARS, type Meta } from '@sekisho/contract/page-metadata'
import { attribute, type Element, findAll, findElement, isMain, type Parent } from './html-nodes.ts'

/** Metadata as a page's HTML gives it; the contents of Sekisho's own `<meta>` elements are not checked yet. */
export interface PageFacts {
  /** Standard fields that could be read. */
  readonly standard: { readonly lang?: string; readonly description?: string; readonly updated?: string }
  /** Name in `<meta name="author">`; empty where there is none. */
  readonly author: string
  /** Version of the documentation; empty for the current one. */
  readonly version: string
  /** True for a page that Docusaurus makes of other pages: tags, authors, archives, categories. */
  readonly isListing: boolean
  readonly metas: readonly Meta[]
}

/** Most `<meta>` elements of ours that are read of a page; one more is kept, to be refused. */
const MAX_METAS = 100
const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,7}$/

/** Reads the metadata of a page. */
export function readPageFacts(page: Parent): PageFacts {
  const root = findElement(page, ({ tagName }) => tagName === 'html')
  const metas = root === null ? [] : findAll(root, ({ tagName }) => tagName === 'meta').map(readMeta)
  const first = (name: string): string => metas.find((meta) => meta.name === name)?.content ?? ''
  const ofRoot = (name: string): string => (root === null ? '' : (attribute(root, name) ?? ''))
  const classes = ofRoot('class').split(/\s+/)
  const version = classes.find((name) => name.startsWith('docs-version-'))?.slice(13) ?? ''
  const lang = ofRoot('lang')
  const description = first('description')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const updated = readDay(page)
  return {
    standard: {
      ...(LANGUAGE.test(lang) && { lang }),
      ...(description !== '' && {
        description: [...description].slice(0, MAX_DESCRIPTION_CHARS).join('').trim(),
      }),
      ...(isDay(updated) && { updated }),
    },
    author: first('author'),
    version: version === 'current' ? '' : version,
    isListing:
      (classes.includes('plugin-blog') && !classes.includes('blog-post-page')) ||
      (classes.includes('plugin-docs') && !classes.some((name) => name.startsWith('docs-doc-id-'))),
    metas: metas.filter(({ name }) => isPageMeta(name)).slice(0, MAX_METAS + 1),
  }
}

const readMeta = (element: Element): Meta => ({
  name: attribute(element, 'name')?.toLowerCase() ?? '',
  content: attribute(element, 'content') ?? '',
})

/** The day of a post, or of the last change where the site shows it. */
function readDay(page: Parent): string {
  const main = findElement(page, isMain) ?? page
  const time = findElement(main, ({ tagName }) => tagName === 'time')
  return time === null ? '' : (attribute(time, 'datetime') ?? '').slice(0, 10)
}
