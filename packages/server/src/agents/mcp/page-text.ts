import { headingAnchor } from '@sekisho/contract/page-markdown'

/** A page's Markdown, read: what it says of itself, its text, and where its headings are. */
export interface PageText {
  readonly facts: Readonly<Record<string, string>>
  readonly text: string
  readonly sections: readonly Section[]
}

export interface Section {
  readonly heading: string
  readonly anchor: string
  readonly level: number
  /** Start of its heading in the text, in UTF-16 units. */
  readonly start: number
}

/** Some of a page's text. */
interface TextPart {
  readonly text: string
  /** The heading it begins with, or stands below; empty before the first one. */
  readonly heading: string
  /** Value of `section` for the next part; null at the end. */
  readonly next: string | null
}

/** Characters that no reader sees and a model reads: tags, controls of direction, zero widths (joiners are letters), and all but the first of a row of selectors. */
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|(?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu

/** Removes text invisible to readers: agents get nothing that the page does not show. */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, '')
}

/** Cheap and on the high side: a token for each character of Japanese, one for some three of English. */
export function countTokens(text: string): number {
  let tokens = 0
  for (let at = 0; at < text.length; at += 1) tokens += text.charCodeAt(at) < 0x80 ? 0.3 : 1
  return Math.ceil(tokens)
}

/** Reads what packing wrote. */
export function readPageText(markdown: string): PageText {
  const [head = '', lines = ''] = /^---\n([\s\S]*?)\n---\n\n/.exec(markdown) ?? []
  const text = markdown.slice(head.length)
  const facts = lines.split('\n').flatMap((line) => {
    const [, name = '', value = ''] = /^(\w+): (".*")$/.exec(line) ?? []
    return name === '' ? [] : [[name, String(JSON.parse(value))] as const]
  })
  return { facts: Object.fromEntries(facts), text, sections: findSections(text) }
}

/** A heading, or a fence of code, which may be indented. */
const MARKED_LINE = /(?<![^\n])(?: *(`{3,})|(#{1,6}) )[^\n]*/g

/** Headings outside of code. */
function findSections(text: string): readonly Section[] {
  const sections: Section[] = []
  const seen = new Map<string, number>()
  let fence = ''
  for (const { 0: line, 1: mark = '', 2: signs = '', index: start } of text.matchAll(MARKED_LINE)) {
    if (fence === '') fence = mark
    else if (mark.length >= fence.length && line.trim() === mark) fence = ''
    if (fence === '' && signs !== '') {
      const { title, named } = readHeading(line.slice(signs.length + 1))
      const heading = title.replace(LINK, '$1').replace(/[`*\\]/g, '')
      const made = headingAnchor(heading)
      const count = seen.get(made) ?? 0
      seen.set(made, count + 1)
      sections.push({
        heading,
        level: signs.length,
        start,
        anchor: named ?? (count === 0 ? made : `${made}-${count}`),
      })
    }
  }
  return sections
}

/** A link, which shows its text; its address may have parentheses of its own. */
const LINK = /\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g

/** A heading's title, and the id that it names at its end: `Title {#id}`. */
function readHeading(text: string): { readonly title: string; readonly named?: string } {
  const at = text.endsWith('}') ? text.lastIndexOf(' {#') : -1
  const named = text.slice(at + 3, -1)
  return at === -1 || named === '' || named.includes('}')
    ? { title: text }
    : { title: text.slice(0, at), named }
}

/**
 * The part of a page that `section` names (an anchor, a heading, or `@` and a position); the whole page without one. Longer parts are cut
 * at a heading, else between blocks.
 */
export function takePart(page: PageText, section: string, maxTokens: number): TextPart {
  const { text, sections } = page
  const offset = /^@(\d{1,9})$/.exec(section)?.[1]
  const index = offset === undefined ? findSection(sections, section) : -1
  const named = sections[index]
  const start = offset === undefined ? (named?.start ?? 0) : Math.min(Number(offset), text.length)
  const after = sections.slice(index + 1).find(({ level }) => named !== undefined && level <= named.level)
  const end = named === undefined ? text.length : (after?.start ?? text.length)
  const cut = start + fittingLength(text.slice(start, end), maxTokens)
  const heading = sections.findLast((one) => one.start <= start)?.heading ?? ''
  if (cut >= end) return { text: text.slice(start, end).trim(), heading, next: null }
  const till = cutBefore(text, sections, start, cut)
  return { text: text.slice(start, till).trim(), heading, next: `@${till}` }
}

function findSection(sections: readonly Section[], name: string): number {
  const wanted = name.trim().replace(/^#+ */, '').toLowerCase()
  if (wanted === '') return -1
  const exact = sections.findIndex(({ anchor }) => anchor.toLowerCase() === wanted)
  return exact >= 0 ? exact : sections.findIndex(({ heading }) => heading.toLowerCase() === wanted)
}

/** Length of a text's beginning with at most that many tokens. */
function fittingLength(text: string, maxTokens: number): number {
  let tokens = 0
  for (let at = 0; at < text.length; at += 1) {
    tokens += text.charCodeAt(at) < 0x80 ? 0.3 : 1
    if (tokens > maxTokens) return at
  }
  return text.length
}

function cutBefore(text: string, sections: readonly Section[], start: number, cut: number): number {
  const heading = sections.findLast((one) => one.start > start && one.start <= cut)
  if (heading !== undefined) return heading.start
  const block = text.lastIndexOf('\n\n', cut)
  if (block > start) return block + 2
  const line = text.lastIndexOf('\n', cut)
  if (line > start) return line + 1
  return Math.max(cut, start + 1)
}
