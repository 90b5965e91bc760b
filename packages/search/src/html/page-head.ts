import { parse } from 'parse5'
import { attribute, classes, elements } from './html-tree.ts'

/** A built page's metadata. */
export interface PageHead {
  /** Classes of the html element: Docusaurus names there which plugin made the page, and what kind of page it is. */
  readonly classes: readonly string[]
  readonly description: string
  readonly keywords: readonly string[]
  /** Drafts of a kind: unlisted pages and pages that ask search engines to stay away. */
  readonly noIndex: boolean
}

/** Styles and scripts, most of the bytes before `</head>` and of no use here. */
const SILENT = /<(style|script)\b[^>]*>[\s\S]*?<\/\1\s*>/gi

/** Reads everything up to `</head>`. */
export function readPageHead(html: string): PageHead {
  const end = html.indexOf('</head>')
  const tree = parse((end < 0 ? html : html.slice(0, end)).replace(SILENT, ''))
  const metas = new Map<string, string>()
  let names: string[] = []
  for (const element of elements(tree)) {
    if (element.tagName === 'html') names = classes(element)
    const name = element.tagName === 'meta' ? attribute(element, 'name') : null
    if (name !== null) metas.set(name.toLowerCase(), attribute(element, 'content') ?? '')
  }
  return {
    classes: names,
    description: metas.get('description') ?? '',
    keywords: (metas.get('keywords') ?? '')
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
    noIndex: /\b(?:noindex|none)\b/i.test(metas.get('robots') ?? ''),
  }
}
