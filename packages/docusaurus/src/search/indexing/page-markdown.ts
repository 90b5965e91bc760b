import type { Element, ElementContent, Nodes, Properties, RootContent } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { type Handle, toMdast } from 'hast-util-to-mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { toMarkdown } from 'mdast-util-to-markdown'
import { TEXT_PAGE_CLASSES } from '../../page-tools/text-pages.ts'
import { type BuiltPage, contentOf, mainOf } from './read-page.ts'

/** The text of a built page as Markdown (GFM, formulas in dollars); null for a page without a text of its own, such as a listing. */
export function pageMarkdown({ title, html }: BuiltPage): string | null {
  const names = /<html[^>]*\sclass="?([^">]*)/i.exec(html)?.[1]?.split(' ') ?? []
  const main = TEXT_PAGE_CLASSES.some((name) => names.includes(name)) ? mainOf(html) : null
  if (main === null) return null
  const tree = fromParse5(contentOf(main))
  const children = 'children' in tree ? tree.children.flatMap(simplify) : []
  const hasHeading = children.some((child) => textOfFirst(child, 'h1') !== null)
  const heading = hasHeading ? [] : [element('h1', [{ type: 'text', value: title }])]
  const root = { type: 'root' as const, children: [...heading, ...children] }
  const markdown = toMdast(root, { document: true, handlers: { pre: codeBlock, [FORMULA]: formula } })
  return toMarkdown(markdown, { extensions: [gfmToMarkdown()], bullet: '-', rule: '-' })
}

/** What only a browser uses: pictures of controls, links to the heading they stand in. */
const SILENT: ReadonlySet<string> = new Set(['button', 'script', 'style', 'svg', 'template', 'wbr'])
const SILENT_CLASSES = ['hash-link', 'data-footnote-backref', 'katex-html']
/** A formula with its TeX, dollars included, as a property. */
const FORMULA = 'sekisho-formula'

/** Turns what the theme makes of a text back into what a text has. */
function simplify(node: RootContent | ElementContent): ElementContent[] {
  if (node.type === 'text') return [{ ...node, value: node.value.replaceAll('\u200b', '') }]
  if (node.type !== 'element') return []
  if (SILENT.has(node.tagName) || SILENT_CLASSES.some((name) => has(node, name))) return []
  if (has(node, 'katex-display')) return readFormula(node, '$$')
  if (has(node, 'katex')) return readFormula(node, '$')
  if (has(node, 'theme-code-block')) return readCodeBlock(node)
  if (has(node, 'theme-admonition')) return readAdmonition(node)
  if (has(node, 'tabs-container')) return readTabs(node)
  if (node.tagName === 'summary') return [paragraph(textOf(node))]
  return [{ ...node, children: node.children.flatMap(simplify) }]
}

function readFormula(node: Element, fence: '$' | '$$'): ElementContent[] {
  const tex = textOfFirst(node, 'annotation') ?? ''
  // A property keeps its lines; white space of texts is collapsed.
  return [
    element(FORMULA, [{ type: 'text', value: tex }], { tex: fence === '$' ? `$${tex}$` : `$$\n${tex}\n$$` }),
  ]
}

/** The title goes where a writer has it: behind the language. */
function readCodeBlock(node: Element): ElementContent[] {
  const pre = findFirst(node, ({ tagName }) => tagName === 'pre')
  if (pre === null) return []
  const title = findFirst(node, (one) => /codeBlockTitle/.test(classesOf(one).join(' ')))
  return [{ ...pre, properties: { ...pre.properties, ...(title === null ? {} : { title: textOf(title) }) } }]
}

function readAdmonition(node: Element): ElementContent[] {
  const [heading, ...content] = node.children.filter((child) => child.type === 'element')
  const title = heading === undefined ? [] : [paragraph(textOf(heading))]
  return [element('blockquote', [...title, ...content.flatMap(simplify)])]
}

/** Every tab's text below its label. */
function readTabs(node: Element): ElementContent[] {
  const labels = findAll(node, ({ properties }) => properties.role === 'tab').map(textOf)
  const panels = findAll(node, ({ properties }) => properties.role === 'tabpanel')
  return panels.flatMap((panel, at) => [paragraph(labels[at] ?? ''), ...panel.children.flatMap(simplify)])
}

const codeBlock: Handle = (_state, node: Element) => {
  const lang = classesOf(node)
    .find((name) => name.startsWith('language-'))
    ?.slice('language-'.length)
  const title = typeof node.properties.title === 'string' ? `title="${node.properties.title}"` : null
  const value = textOf(node).replace(/\n$/, '')
  return { type: 'code', lang: lang === undefined || lang === 'text' ? null : lang, meta: title, value }
}

const formula: Handle = (_state, { properties }: Element) => ({ type: 'html', value: String(properties.tex) })

function element(tagName: string, children: ElementContent[], properties: Properties = {}): Element {
  return { type: 'element', tagName, properties, children }
}

const paragraph = (text: string): Element =>
  element('p', [element('strong', [{ type: 'text', value: text }])])

function classesOf({ properties }: Element): string[] {
  return Array.isArray(properties.className) ? properties.className.map(String) : []
}

const has = (node: Element, name: string): boolean => classesOf(node).includes(name)

function findAll(node: Element, fits: (node: Element) => boolean): Element[] {
  return node.children.flatMap((child) =>
    child.type !== 'element' ? [] : fits(child) ? [child] : findAll(child, fits),
  )
}

const findFirst = (node: Element, fits: (node: Element) => boolean): Element | null =>
  findAll(node, fits)[0] ?? null

/** The text of the node itself, or of the first below it, that has this name. */
function textOfFirst(node: ElementContent, tagName: string): string | null {
  const parent = element('div', [node])
  const found = findFirst(parent, (one) => one.tagName === tagName)
  return found === null ? null : textOf(found)
}

/** All text, with a line for each `br`. */
function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value
  if (node.type === 'element' && node.tagName === 'br') return '\n'
  return 'children' in node ? node.children.map(textOf).join('') : ''
}
