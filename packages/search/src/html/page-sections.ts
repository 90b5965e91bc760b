import { isUnseen } from '@sekisho/contract/page-markdown'
import type { PageSection } from '../indexer/analysis/page.ts'
import { attribute, classes, type Element, isElement, type Parent, plainText, textOf } from './html-tree.ts'

/** Elements whose text a reader does not read: controls, drawings, scripts, and what only navigates. */
const SKIPPED: ReadonlySet<string> = new Set([
  'annotation',
  'button',
  'form',
  'iframe',
  'nav',
  'noscript',
  'script',
  'select',
  'style',
  'svg',
  'template',
  'textarea',
])
const SKIPPED_CLASSES: ReadonlySet<string> = new Set([
  'hash-link',
  'katex-html',
  'sekisho-recent',
  'theme-doc-toc-mobile',
  'theme-doc-version-badge',
])
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
  /** Text after them; examined alone, however long the page. */
  line: string
}

/**
 * Cuts a page's content at its headings into what the reader sees: paragraphs, code, tables, admonitions, every tab
 * (those not chosen too), and the alternative texts of images. Blocks become lines, cells are separated by a tab.
 */
export function readSections(content: Parent, title: string): PageSection[] {
  let current: OpenSection = { heading: title, level: 1, anchor: '', text: '', line: '' }
  const sections = [current]

  const add = (text: string, preformatted: boolean): void => {
    if (preformatted) current.line += text
    else {
      const collapsed = text.replace(/[\s\u200b]+/g, ' ')
      current.line += /^$|\s$/.test(current.line) ? collapsed.trimStart() : collapsed
    }
  }
  const breakLine = (): void => {
    const line = current.line.replace(/[ \t]+$/, '')
    current.text += line === '' || line.endsWith('\n') ? line : `${line}\n`
    current.line = ''
  }
  const addCell = (): void => {
    const line = current.line.replace(/[ \t]+$/, '')
    current.line = line === '' || line.endsWith('\n') ? line : `${line}\t`
  }
  const read = (parent: Parent, preformatted: boolean): void => {
    for (const child of parent.childNodes) {
      const text = textOf(child)
      if (text !== null) add(text, preformatted)
      else if (isElement(child)) readElement(child, parent, preformatted)
    }
  }
  const readElement = (element: Element, parent: Parent, preformatted: boolean): void => {
    if (isSkipped(element)) return
    const { tagName } = element
    const heading = readHeading(element, parent)
    if (heading !== null) {
      if (heading.level > 1) {
        current = { ...heading, text: '', line: '' }
        sections.push(current)
      }
    } else if (tagName === 'br') breakLine()
    else if (tagName === 'img') add(` ${attribute(element, 'alt') ?? ''} `, false)
    else if (INLINE.has(tagName)) read(element, preformatted)
    else if (CELLS.has(tagName)) {
      addCell()
      read(element, preformatted)
    } else {
      breakLine()
      read(element, preformatted || tagName === 'pre')
      breakLine()
    }
  }
  read(content, false)
  return sections.map(({ line, ...section }) => ({ ...section, text: (section.text + line).trim() }))
}

/** A heading with an anchor begins a section; one without is text like any other, except the page's own title. */
function readHeading(
  element: Element,
  parent: Parent,
): Pick<OpenSection, 'heading' | 'level' | 'anchor'> | null {
  const level = Number(/^h([1-6])$/.exec(element.tagName)?.[1])
  if (!(level >= 1)) return null
  const anchor = findAnchor(element, parent)
  if (level > 1 && anchor === '') return null
  // Material for MkDocs and Sphinx end headings with a link to themselves.
  return { heading: plainText(element).replace(/\s*¶$/, ''), level, anchor }
}

/**
 * Anchor of a heading: its own id, that of an anchor in it (DocBook, Doxygen) or just before it (pages made by hand), or of the section
 * that it opens (Sphinx). Empty without one.
 */
function findAnchor(heading: Element, parent: Parent): string {
  const siblings = parent.childNodes.filter(isElement)
  const at = siblings.indexOf(heading)
  const before = siblings[at - 1]
  const within = heading.childNodes.find((child) => isElement(child) && child.tagName === 'a')
  return (
    attribute(heading, 'id') ??
    (within && isElement(within) ? anchorName(within) : null) ??
    (before?.tagName === 'a' && plainText(before).trim() === '' ? anchorName(before) : null) ??
    (at === 0 && isElement(parent) ? attribute(parent, 'id') : null) ??
    ''
  )
}

const anchorName = (anchor: Element): string | null => attribute(anchor, 'id') ?? attribute(anchor, 'name')

function isSkipped(element: Element): boolean {
  if (SKIPPED.has(element.tagName) || attribute(element, 'data-footnote-backref') !== null) return true
  if (attribute(element, 'aria-hidden') === 'true' || attribute(element, 'data-footnote-ref') !== null)
    return true
  if (isUnseen((name) => attribute(element, name))) return true
  return classes(element).some((name) => SKIPPED_CLASSES.has(name))
}
