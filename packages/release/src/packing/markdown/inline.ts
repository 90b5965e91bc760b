import { decodeOrSame } from '@sekisho/contract/canonical-path'
import { collapseText } from '@sekisho/contract/page-markdown'
import {
  attribute,
  type Element,
  elementsOf,
  findElement,
  hasClass,
  isElement,
  isSilent,
  type Node,
  textOf,
} from './html-nodes.ts'
import type { Tabs } from './tabs.ts'

/** Place of a text. */
export interface InlineContext {
  /** Decoded path of the page, against which its links are read. */
  readonly path: string
  readonly tabs: Tabs
  readonly inCell?: boolean
  /** The heading that is written. */
  readonly heading?: Element
}

const HERE = 'http://page.invalid'
const MARKS: Readonly<Record<string, string>> = { strong: '**', b: '**', em: '*', i: '*', del: '~~', s: '~~' }
const CODE: ReadonlySet<string> = new Set(['code', 'kbd', 'samp', 'tt'])

/** A line's end of the author's while a run is put together; the parser lets none through from a page. */
const BREAK = '\0'

/** Writes a run of text and inline elements as one paragraph's Markdown; white space is one space, and no line ends at its ends. */
export function inlineMarkdown(nodes: readonly Node[], context: InlineContext): string {
  const lines = nodes
    .map((node) => oneInline(node, context))
    .join('')
    .split(BREAK)
    .map((line) => line.replace(/[ \t]+/g, ' ').trim())
  const first = lines.findIndex((line) => line !== '')
  return lines
    .slice(Math.max(first, 0), lines.findLastIndex((line) => line !== '') + 1)
    .join(lineBreak(context))
}

function oneInline(node: Node, context: InlineContext): string {
  if ('value' in node) return escapeText(collapseText(node.value), context)
  if (!isElement(node) || context.tabs.shown.has(node)) return ''
  const { tagName } = node
  if (tagName === 'script') return formulaOf(node) ?? ''
  if (isSilent(node)) return ''
  if (tagName === 'br') return BREAK
  const formula = formulaOf(node)
  if (formula !== null) return formula
  if (CODE.has(tagName)) return inlineCode(textOf(node, isSilent), context)
  if (tagName === 'img') return image(node, context)
  if (tagName === 'input') return checkbox(node)
  if (tagName === 'ruby') return ruby(node, context)
  if (EMBEDDED.has(tagName)) return embedded(node, context)
  const inside = node.childNodes.map((child) => oneInline(child, context)).join('')
  if (tagName === 'a') return link(node, inside, context)
  if (tagName === 'sup' || tagName === 'sub') return raised(tagName, inside)
  const mark = MARKS[tagName]
  return mark === undefined ? inside : marked(inside, mark)
}

function lineBreak({ heading, inCell }: InlineContext): string {
  if (heading !== undefined) return ' '
  return inCell === true ? '<br>' : '\\\n'
}

/** The TeX of a formula, kept by KaTeX beside what is drawn, by MathJax between its delimiters, or made of MathML; null for other elements. */
export function formulaOf(element: Element): string | null {
  const { tagName } = element
  if (tagName === 'script') {
    const type = attribute(element, 'type') ?? ''
    return type.startsWith('math/tex') ? inDollars(textOf(element), type.includes('mode=display')) : null
  }
  if (tagName === 'math') {
    const source = findElement(element, isTex)
    const tex = source === null ? texOf(element) : textOf(source)
    return tex === '' ? null : inDollars(tex, attribute(element, 'display') === 'block')
  }
  if (!hasClass(element, 'math', 'arithmatex', 'formulaDsp', 'formulaInl')) return null
  const [, inline, display] = /^\s*\\(?:\(([\s\S]*)\\\)|\[([\s\S]*)\\\])\s*$/.exec(textOf(element)) ?? []
  return inline === undefined && display === undefined
    ? null
    : inDollars(inline ?? display ?? '', inline === undefined)
}

const isTex = (element: Element): boolean =>
  element.tagName === 'annotation' && attribute(element, 'encoding') === 'application/x-tex'

const inDollars = (tex: string, isDisplayed: boolean): string =>
  isDisplayed ? `$$\n${tex.trim()}\n$$` : `$${tex.trim()}$`

/** The text itself, then its reading; in a heading the text alone. */
function ruby(element: Element, context: InlineContext): string {
  const readings: string[] = []
  const read = (node: Node): string => {
    if (!isElement(node)) return oneInline(node, context)
    if (node.tagName === 'rp') return ''
    if (node.tagName !== 'rt') return node.childNodes.map(read).join('')
    readings.push(inlineMarkdown(node.childNodes, context))
    return ''
  }
  const base = element.childNodes.map(read).join('').trim()
  const reading = context.heading === undefined ? readings.join('') : ''
  return reading === '' ? base : `${base}（${reading}）`
}

const RAISED: Readonly<Record<string, readonly [string, string]>> = {
  sup: ['0123456789+-=()nia', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵃ'],
  sub: ['0123456789+-=()aeoxhklmnpst', '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜ'],
}

/** x² where characters exist for it, the element where none do, and the reference to a footnote as a link. */
function raised(tagName: string, inside: string): string {
  const [plain = '', high = ''] = RAISED[tagName] ?? []
  const text = inside.trim()
  if (text === '' || text.startsWith('[')) return text
  const characters = [...text].map((character) => high[plain.indexOf(character)])
  return characters.includes(undefined) ? `<${tagName}>${text}</${tagName}>` : characters.join('')
}

/** Marks stand at words, never at the spaces around them. */
function marked(text: string, mark: string): string {
  const inside = text.trim()
  if (inside === '') return text
  const at = text.indexOf(inside)
  return `${text.slice(0, at)}${mark}${inside}${mark}${text.slice(at + inside.length)}`
}

/** The fence is longer than any run of backticks inside. */
export function inlineCode(text: string, { inCell }: Pick<InlineContext, 'inCell'>): string {
  const plain = text.replace(/[\s\u200b]+/g, ' ').trim()
  if (plain === '') return ''
  const fence = '`'.repeat(longestRun(plain, '`') + 1)
  const pad = plain.startsWith('`') || plain.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${inCell === true ? plain.replaceAll('|', '\\|') : plain}${pad}${fence}`
}

/** Length of the longest run of a character. */
export function longestRun(text: string, character: string): number {
  return text.split(new RegExp(`[^${character}]+`)).reduce((most, run) => Math.max(most, run.length), 0)
}

function image(element: Element, context: InlineContext): string {
  const alt = escapeText(collapseText(attribute(element, 'alt') ?? ''), context)
  const target = readTarget(attribute(element, 'src'), context)
  return target === null ? alt : `![${alt}](${target})`
}

const checkbox = (element: Element): string =>
  attribute(element, 'type') === 'checkbox' ? (attribute(element, 'checked') === null ? '[ ] ' : '[x] ') : ''

/** Elements that show a document, film or recording; what they hold is for browsers that cannot. */
export const EMBEDDED: ReadonlySet<string> = new Set(['iframe', 'embed', 'object', 'video', 'audio'])

/** A link in place of an element that embeds something. */
function embedded(element: Element, context: InlineContext): string {
  const source = findElement(element, ({ tagName }) => tagName === 'source') ?? element
  const address = ['src', 'data'].map((name) => attribute(source, name) ?? attribute(element, name))
  const target = readTarget(address.find((one) => one !== null) ?? null, context)
  const name =
    attribute(element, 'title') ?? attribute(element, 'aria-label') ?? target?.split('/').at(-1) ?? ''
  return target === null ? '' : `[${escapeText(collapseText(name), context)}](${target})`
}

/** A link to its heading is no text of the heading, unless it is all of it (mdBook). */
function link(element: Element, text: string, context: InlineContext): string {
  const href = attribute(element, 'href')
  const isFragment = href?.startsWith('#') === true
  if (isFragment && !/[\p{L}\p{N}]/u.test(text)) return ''
  if (isFragment && context.heading !== undefined)
    return isOfHeading(element, href, context.heading) ? '' : text
  return linked(text, element, context)
}

function isOfHeading(element: Element, href: string, heading: Element): boolean {
  const isAtEnd = heading.childNodes.at(-1) === element || heading.childNodes[0] === element
  if (!isAtEnd || href !== `#${attribute(heading, 'id') ?? ''}`) return false
  return textOf(heading, (one) => one === element || isSilent(one)).trim() !== ''
}

/** A text with the address of a link; a link without a text has that for screen readers. */
export function linked(text: string, element: Element, context: InlineContext): string {
  const target = readTarget(attribute(element, 'href'), context)
  const shown =
    text.trim() || escapeText(collapseText(attribute(element, 'aria-label') ?? ''), context).trim()
  return target === null || shown === '' ? text : `[${shown}](${target})`
}

/** An address as Markdown has it: a path of the site decoded, so that it is an id; null for one that leads nowhere. */
function readTarget(address: string | null, { path }: InlineContext): string | null {
  const url = address === null ? null : URL.parse(address, HERE + encodeURI(path))
  if (url === null || !/^(?:https?|mailto):$/.test(url.protocol)) return null
  const isHere = url.origin === HERE
  const readable = decodeOrSame(isHere ? url.pathname + url.search + url.hash : url.href, decodeURI)
  const own = isHere && readable.startsWith(`${path}#`) ? readable.slice(path.length) : readable
  return /[\s()<>]/.test(own) ? `<${own.replace(/[<>\s]/g, encodeURIComponent)}>` : own
}

/** Writes what Markdown would read as a sign as itself. */
export function escapeText(text: string, { inCell }: Pick<InlineContext, 'inCell'>): string {
  const escaped = text
    .replace(/[\\`*[\]]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/&(?=#?\w+;)/g, '\\&')
  return inCell === true ? escaped.replaceAll('|', '\\|') : escaped
}

const group = (tex: string | undefined = ''): string => (tex.length === 1 ? tex : `{${tex}}`)

/** Elements whose parts have places; the others are their parts in a row. */
const PLACED: Readonly<Record<string, (parts: readonly string[]) => string>> = {
  annotation: () => '',
  'annotation-xml': () => '',
  mphantom: () => '',
  mfrac: ([over, under]) => `\\frac{${over}}{${under}}`,
  mover: ([base, over]) => `\\overset{${over}}{${base}}`,
  mroot: ([base, degree]) => `\\sqrt[${degree}]{${base}}`,
  msqrt: (parts) => `\\sqrt{${parts.join('')}}`,
  msub: ([base, low]) => `${group(base)}_${group(low)}`,
  msubsup: ([base, low, high]) => `${group(base)}_${group(low)}^${group(high)}`,
  msup: ([base, high]) => `${group(base)}^${group(high)}`,
  mtable: (rows) => `\\begin{matrix}${rows.join(' \\\\ ')}\\end{matrix}`,
  mtr: (cells) => cells.join(' & '),
  munder: ([base, low]) => `${group(base)}_${group(low)}`,
  munderover: ([base, low, high]) => `${group(base)}_${group(low)}^${group(high)}`,
}

/** MathML as TeX, for a formula that holds no TeX of its own; characters stay as they are. */
function texOf(element: Element): string {
  const inside = elementsOf(element)
  const place = PLACED[element.tagName]
  if (place !== undefined) return place(inside.map(texOf))
  if (inside.length > 0) return inside.map(texOf).join('')
  const text = collapseText(textOf(element))
    .replace(/[\u2061-\u2064]/g, '')
    .replace(/[{}$%#&_\\]/g, '\\$&')
    .trim()
  return element.tagName === 'mtext' ? `\\text{${text}}` : text
}
