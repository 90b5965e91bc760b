import { readRefresh, readScriptedRedirect } from '@sekisho/contract/page-metadata'
import { parse } from 'parse5'
import { attribute, classes, elements, plainText } from './html-tree.ts'

/** A built page's metadata. */
export interface PageHead {
  /** BCP 47 tag; empty when the page does not say. */
  readonly lang: string
  /** Text of `<title>`, the site's name included. */
  readonly title: string
  /** Classes of the html element: Docusaurus names there which plugin made the page, and what kind of page it is. */
  readonly classes: readonly string[]
  readonly description: string
  readonly keywords: readonly string[]
  /** Asks to be left out of this search: `<meta name="sekisho-search" content="exclude">`. What `robots` says is for public crawlers. */
  readonly isExcluded: boolean
  /** The page only redirects its reader. */
  readonly isRedirect: boolean
}

/** Reads everything up to `</head>`. */
export function readPageHead(html: string): PageHead {
  const end = html.indexOf('</head>')
  const tree = parse(withoutSilent(end < 0 ? html : html.slice(0, end)))
  const metas = new Map<string, string>()
  const found = elements(tree)
  for (const element of found) {
    const name =
      element.tagName === 'meta' ? (attribute(element, 'name') ?? attribute(element, 'http-equiv')) : null
    if (name !== null) metas.set(name.toLowerCase(), attribute(element, 'content') ?? '')
  }
  const root = found.find(({ tagName }) => tagName === 'html')
  const title = found.find(({ tagName }) => tagName === 'title')
  return {
    lang: root === undefined ? '' : (attribute(root, 'lang') ?? ''),
    title: title === undefined ? '' : plainText(title),
    classes: root === undefined ? [] : classes(root),
    description: metas.get('description') ?? '',
    keywords: (metas.get('keywords') ?? '')
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
    isExcluded: /^\s*exclude\s*$/i.test(metas.get('sekisho-search') ?? ''),
    isRedirect:
      readRefresh(metas.get('refresh') ?? '')?.isRedirect === true || readScriptedRedirect(html) !== null,
  }
}

/** Leaves out styles and scripts, most of the bytes before `</head>` and of no use here; one that is not closed is the rest of the page. */
function withoutSilent(html: string): string {
  const opening = /<(style|script)\b/gi
  let kept = ''
  for (let from = 0; ; ) {
    opening.lastIndex = from
    const open = opening.exec(html)
    kept += html.slice(from, open?.index)
    if (open === null) return kept
    const closing = open[1]?.toLowerCase() === 'style' ? /<\/style\b/gi : /<\/script\b/gi
    closing.lastIndex = opening.lastIndex
    const close = closing.exec(html)
    from = close === null ? -1 : html.indexOf('>', close.index) + 1
    if (from <= 0) return kept
  }
}
