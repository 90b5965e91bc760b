import { collapseText, isUnread } from '@sekisho/contract/page-markdown'
import type { PageSection } from '../indexer/analysis/page.ts'
import { attribute, type Element, elements, isElement, type Parent, plainText, textOf } from './html-tree.ts'

const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo cite code data del dfn em i ins kbd label mark math q rp rt ruby s samp small span strong sub sup time u var wbr mi mn mo mrow msub msup mtext mfrac msqrt semantics'.split(
    ' ',
  ),
)
const CELLS: ReadonlySet<string> = new Set(['td', 'th'])

interface OpenSection {
  readonly heading: string
  readonly level: number
  readonly anchor: string
  /** The lines that are complete, each with its end. */
  text: string
  /** Pieces of the line after them, none empty. */
  line: string[]
}

/**
 * Cuts a page's content at its headings into what the reader sees: paragraphs, code, tables, admonitions, every tab
 * (those not chosen too), the alternative texts of images, and the sources of diagrams. Blocks become lines, cells are separated by a tab.
 */
export function readSections(content: Parent, title: string): PageSection[] {
  let current: OpenSection = { heading: title, level: 1, anchor: '', text: '', line: [] }
  const sections = [current]

  const add = (text: string, preformatted: boolean): void => {
    const collapsed = preformatted ? text : collapseText(text)
    const isAfterBlank = /^$|\s/.test(current.line.at(-1)?.at(-1) ?? '')
    const piece = isAfterBlank && !preformatted ? collapsed.trimStart() : collapsed
    if (piece !== '') current.line.push(piece)
  }
  const trimLine = (): string => {
    for (let last = current.line.pop(); last !== undefined; last = current.line.pop()) {
      const trimmed = trimBlanks(last)
      if (trimmed === '') continue
      current.line.push(trimmed)
      return trimmed
    }
    return '\n'
  }
  let readings: string[] = []
  const breakLine = (): void => {
    if (readings.length > 0) current.line.push(`（${readings.join(' ')}）`)
    readings = []
    if (!trimLine().endsWith('\n')) current.line.push('\n')
    current.text += current.line.join('')
    current.line = []
  }
  const addCell = (): void => {
    if (!trimLine().endsWith('\n')) current.line.push('\t')
  }
  const read = (parent: Parent, preformatted: boolean): void => {
    let before: Element | null = null
    for (const child of parent.childNodes) {
      const text = textOf(child)
      if (text !== null) add(text, preformatted)
      else if (isElement(child)) {
        readElement(child, before ?? parent, preformatted)
        before = child
      }
    }
  }
  const readElement = (element: Element, before: Parent, preformatted: boolean): void => {
    const diagram = attribute(element, 'data-mermaid')
    if (diagram === null && isSkipped(element)) return
    const { tagName } = element
    const heading = readHeading(element, before)
    if (heading !== null) {
      if (heading.level > 1) {
        breakLine()
        current = { ...heading, text: '', line: [] }
        sections.push(current)
      }
    } else if (tagName === 'br') breakLine()
    else if (tagName === 'img') add(` ${attribute(element, 'alt') ?? ''} `, false)
    else if (tagName === 'ruby') readRuby(element)
    else if (INLINE.has(tagName)) read(element, preformatted)
    else if (CELLS.has(tagName)) {
      addCell()
      read(element, preformatted)
    } else {
      breakLine()
      if (diagram === null) read(element, preformatted || tagName === 'pre')
      else add(diagram, true)
      breakLine()
    }
  }
  /** Readings stand behind their line, so that they part no words. */
  const readRuby = (ruby: Element): void => {
    add(plainText(ruby), false)
    const own = elements(ruby).filter(({ tagName }) => tagName === 'rt')
    if (own.length > 0) readings.push(own.map(plainText).join(''))
  }
  read(content, false)
  breakLine()
  return sections.map(({ line, ...section }) => ({ ...section, text: (section.text + line.join('')).trim() }))
}

/** A heading with an anchor begins a section; one without is text like any other, except the page's own title. */
function readHeading(
  element: Element,
  before: Parent,
): Pick<OpenSection, 'heading' | 'level' | 'anchor'> | null {
  const level = Number(/^h([1-6])$/.exec(element.tagName)?.[1])
  if (!(level >= 1)) return null
  const anchor = findAnchor(element, before)
  if (level > 1 && anchor === '') return null
  return { heading: plainText(element), level, anchor }
}

/**
 * Anchor of a heading: its own id, that of an anchor in it (DocBook, Doxygen) or just before it, or of the section that it opens (Sphinx).
 * Empty without one. `before` is its previous sibling, or its parent.
 */
function findAnchor(heading: Element, before: Parent): string {
  const isFirst = before === heading.parentNode
  const within = heading.childNodes.find((child) => isElement(child) && child.tagName === 'a')
  const isEmptyAnchor = !isFirst && before.nodeName === 'a' && plainText(before) === ''
  return (
    attribute(heading, 'id') ??
    (within && isElement(within) ? anchorName(within) : null) ??
    (isEmptyAnchor || isFirst ? anchorName(before) : null) ??
    ''
  )
}

const anchorName = (anchor: Parent): string | null =>
  'attrs' in anchor ? (attribute(anchor, 'id') ?? attribute(anchor, 'name')) : null

/** Not for readers, or found under another spelling: the TeX of a formula, and the number of a footnote. */
function isSkipped(element: Element): boolean {
  const { tagName } = element
  return (
    /^(?:annotation|iframe)$/.test(tagName) ||
    attribute(element, 'data-footnote-ref') !== null ||
    isUnread(tagName, (name) => attribute(element, name))
  )
}

function trimBlanks(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ' || line[end - 1] === '\t') end -= 1
  return line.slice(0, end)
}
