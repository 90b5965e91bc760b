import type { MessageOrText } from '@sekisho/contract/language'
import { inSiteLanguage } from './site-language.ts'
import { mdxProblemOf as problemOf } from './texts/index.ts'

/** Messages of the MDX parsers (micromark's and mdx's own), with remedies for a writer. */
const EXPLANATIONS = [
  [/^Expected a closing tag for `<(br|hr|img|input|wbr)\b[^`]*>`/, 'void_tag'],
  [/^Markdown image with URL `([^`]+)`/, 'no_image'],
  [/^Expected a closing tag for `<([^`>]+)>`/, 'open_tag'],
  [/^Unexpected closing (?:slash|tag)/, 'stray_end_tag'],
  [/to create a comment in MDX/, 'comment'],
  [/to create a link in MDX/, 'autolink'],
  [
    /^Unexpected (?:character|end of file).*(?:before name|local name|in name|attribute|before attribute|tag)/,
    'less_than',
  ],
  [/^Unexpected lazy line/, 'lazy_line'],
  [
    /^Could not parse (?:expression|import\/exports) with acorn|^Unexpected .*in expression|^Unexpected content after expression/,
    'expression',
  ],
] as const

/** Mistakes of MDX alone: as `.md` a site reads the same text, unless it reads those as MDX too. */
const MD_INSTEAD: ReadonlySet<string> = new Set(['void_tag', 'less_than', 'expression'])

interface ParserError extends Error {
  readonly reason?: string
  readonly line?: number | null
}

/**
 * Place and cause of a page's failure to compile, with a remedy, in the language of the site.
 * @param file as a writer knows it, relative to the site
 */
export function explainMdxError(file: string, error: ParserError): string {
  const reason = error.reason ?? error.message
  // Where no position is given, the message names it: of the tag that was opened, of the image.
  const named = /\((\d+):\d+(?:-\d+:\d+)?\)/.exec(reason)?.[1]
  const line = typeof error.line === 'number' ? String(error.line) : named
  const place = line === undefined ? file : `${file}:${line}`
  return inSiteLanguage(explain(place, reason))
}

function explain(place: string, reason: string): MessageOrText {
  for (const [pattern, code] of EXPLANATIONS) {
    const match = pattern.exec(reason)
    if (match === null) continue
    const isMdx = /\.mdx(?::|$)/.test(place)
    const also = [
      ...(isMdx && MD_INSTEAD.has(code) ? [problemOf('md_instead')] : []),
      ...(code === 'expression' ? [problemOf('heading_id')] : []),
    ]
    const advice = [problemOf(code, match[1] ?? ''), ...also].map(inSiteLanguage).join('')
    return problemOf('unread', place, advice, reason.split('\n', 1)[0] ?? '')
  }
  return problemOf('unread_otherwise', place, reason)
}
