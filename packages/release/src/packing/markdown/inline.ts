import {
  attribute,
  type Element,
  findFirst,
  hasClass,
  isElement,
  isSilent,
  type Node,
  textOf,
} from './html-nodes.ts'

/** Place of a text: its page, and a cell of a table or not. */
export interface InlineContext {
  /** Decoded path of the page, against which its links are read. */
  readonly path: string
  readonly inCell?: boolean
}

const HERE = 'http://page.invalid'
const MARKS: Readonly<Record<string, string>> = { strong: '**', b: '**', em: '*', i: '*', del: '~~', s: '~~' }
const CODE: ReadonlySet<string> = new Set(['code', 'kbd', 'samp', 'tt'])

/** Writes a run of text and inline elements as one paragraph's Markdown; what is white space in HTML is one space. */
export function inlineMarkdown(nodes: readonly Node[], context: InlineContext): string {
  return nodes
    .map((node) => oneInline(node, context))
    .join('')
    .replace(/[ \t]*\n[ \t]*/g, '\n')
    .replace(/[ \t]+/g, ' ')
    .trim()
}

function oneInline(node: Node, context: InlineContext): string {
  if ('value' in node) return escapeText(node.value.replace(/\u200b/g, '').replace(/\s+/g, ' '), context)
  if (!isElement(node) || isSilent(node)) return ''
  const { tagName } = node
  if (tagName === 'br') return context.inCell === true ? '<br>' : '\\\n'
  if (hasClass(node, 'katex')) return `$${texOf(node)}$`
  if (CODE.has(tagName)) return inlineCode(textOf(node), context)
  if (tagName === 'img') return image(node, context)
  if (tagName === 'input') return checkbox(node)
  const inside = node.childNodes.map((child) => oneInline(child, context)).join('')
  if (tagName === 'a') return link(node, inside, context)
  const mark = MARKS[tagName]
  return mark === undefined ? inside : marked(inside, mark)
}

/** A formula's TeX, which KaTeX keeps beside what it draws. */
export function texOf(element: Element): string {
  const source = findFirst(element, ({ tagName }) => tagName === 'annotation')
  return source === null ? '' : textOf(source).trim()
}

/** Marks stand at words, never at the spaces around them. */
function marked(text: string, mark: string): string {
  const [, before = '', inside = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? []
  return inside === '' ? text : `${before}${mark}${inside}${mark}${after}`
}

/** The fence is longer than any run of backticks inside. */
function inlineCode(text: string, { inCell }: InlineContext): string {
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
  const alt = escapeText((attribute(element, 'alt') ?? '').replace(/\s+/g, ' '), context)
  const target = readTarget(attribute(element, 'src'), context)
  return target === null ? alt : `![${alt}](${target})`
}

const checkbox = (element: Element): string =>
  attribute(element, 'type') === 'checkbox' ? (attribute(element, 'checked') === null ? '[ ] ' : '[x] ') : ''

function link(element: Element, text: string, context: InlineContext): string {
  const target = readTarget(attribute(element, 'href'), context)
  return target === null || text.trim() === '' ? text : `[${text.trim()}](${target})`
}

/** An address as Markdown has it: a path of the site decoded, so that it is an id; null for what leads nowhere. */
function readTarget(address: string | null, { path }: InlineContext): string | null {
  const url = address === null ? null : URL.parse(address, HERE + encodeURI(path))
  if (url === null || !/^(?:https?|mailto):$/.test(url.protocol)) return null
  const isHere = url.origin === HERE
  const readable = decode(isHere ? url.pathname + url.search + url.hash : url.href)
  const own = isHere && readable.startsWith(`${path}#`) ? readable.slice(path.length) : readable
  return /[\s()<>]/.test(own) ? `<${own.replace(/[<>\s]/g, encodeURIComponent)}>` : own
}

function decode(address: string): string {
  try {
    return decodeURI(address)
  } catch {
    return address
  }
}

/** Escapes characters that Markdown would interpret. */
function escapeText(text: string, { inCell }: InlineContext): string {
  const escaped = text
    .replace(/[\\`*[\]]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/&(?=#?\w+;)/g, '\\&')
  return inCell === true ? escaped.replaceAll('|', '\\|') : escaped
}
