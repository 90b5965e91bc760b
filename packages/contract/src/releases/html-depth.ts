import { TEXTS } from '../texts/index.ts'
import { createMessages, type Message } from '../texts/language.ts'

const messageOf = createMessages(TEXTS, 'html')

/** Elements within each other, as many as Chromium keeps nested (`kMaximumHTMLParserDOMTreeDepth`); what is deeper no browser shows as it was written. */
const MAX_HTML_DEPTH = 512

/** A node of a parsed page, whichever parser made it. */
interface HtmlNode {
  readonly nodeName: string
  readonly childNodes?: readonly HtmlNode[]
}

/** Tells if a parsed page is nested so deep that recursion could exhaust the stack. */
export function isNestedTooDeep(page: HtmlNode): boolean {
  let level: readonly HtmlNode[] = [page]
  for (let depth = 0; depth <= MAX_HTML_DEPTH; depth += 1) {
    level = level.flatMap(({ childNodes = [] }) => childNodes.filter(hasChildren))
    if (level.length === 0) return false
  }
  return true
}

const hasChildren = ({ childNodes }: HtmlNode): boolean => childNodes !== undefined

/** Says of a file that it is nested too deep. */
export const nestedTooDeep = (file: string): Message => messageOf('nested_too_deep', file, MAX_HTML_DEPTH)
