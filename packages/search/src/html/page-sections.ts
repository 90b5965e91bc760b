import type { PageSection } from '../indexer/page.ts'
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
  text: string
}

/**
 * Cuts a page's content at its headings into what the reader sees: paragraphs, code, tables, admonitions, every tab
 * (hidden ones too), and the alternative texts of images. Blocks become lines, cells are separated by a tab.
 */
export function readSections(content: Parent, title: string): PageSection[] {
  const sections: OpenSection[] = [{ heading: title, level: 1, anchor: '', text: '' }]
  const current = (): OpenSection => sections.at(-1) ?? { heading: '', level: 1, anchor: '', text: '' }

  const add = (text: string, preformatted: boolean): void => {
    const section = current()
    if (preformatted) section.text += text
    else {
      const collapsed = text.replace(/[\s\u200b]+/g, ' ')
      section.text += /\s$/.test(section.text) || section.text === '' ? collapsed.trimStart() : collapsed
    }
  }
  const breakLine = (): void => {
    const section = current()
    const text = section.text.replace(/[ \t]+$/, '')
    section.text = text === '' || text.endsWith('\n') ? text : `${text}\n`
  }
  const addCell = (): void => {
    const section = current()
    section.text = section.text.replace(/[ \t]+$/, '')
    if (section.text !== '' && !section.text.endsWith('\n')) section.text += '\t'
  }
  const read = (parent: Parent, preformatted: boolean): void => {
    for (const child of parent.childNodes) {
      const text = textOf(child)
      if (text !== null) add(text, preformatted)
      else if (isElement(child)) readElement(child, preformatted)
    }
  }
  const readElement = (element: Element, preformatted: boolean): void => {
    if (isSkipped(element)) return
    const { tagName } = element
    const heading = readHeading(element)
    if (heading !== null) {
      if (heading.level > 1) sections.push({ ...heading, text: '' })
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
  return sections.map((section) => ({ ...section, text: section.text.trim() }))
}

/** A heading with an anchor begins a section; one without is text like any other, except the page's own title. */
function readHeading(element: Element): Omit<OpenSection, 'text'> | null {
  const level = Number(/^h([1-6])$/.exec(element.tagName)?.[1])
  const anchor = attribute(element, 'id') ?? ''
  if (!(level === 1 || (level > 1 && anchor !== ''))) return null
  // Material for MkDocs and Sphinx end headings with a link to themselves.
  return { heading: plainText(element).replace(/\s*¶$/, ''), level, anchor }
}

function isSkipped(element: Element): boolean {
  if (SKIPPED.has(element.tagName) || attribute(element, 'data-footnote-backref') !== null) return true
  if (attribute(element, 'aria-hidden') === 'true' || attribute(element, 'data-footnote-ref') !== null)
    return true
  return classes(element).some((name) => SKIPPED_CLASSES.has(name))
}
