import { headingAnchor } from '@sekisho/contract/page-markdown'
import { codeBlock, fenced } from './code.ts'
import {
  attribute,
  classOf,
  diagramOf,
  type Element,
  elementsOf,
  findElement,
  isElement,
  isSilent,
  type Node,
  type Parent,
  textOf,
} from './html-nodes.ts'
import {
  EMBEDDED,
  escapeText,
  formulaOf,
  type InlineContext,
  inlineCode,
  inlineMarkdown,
  linked,
} from './inline.ts'
import { gridOf, isLayout, rowsOf, tableMarkdown } from './tables.ts'

/** Elements that stand in a line of text. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo br cite code data del dfn em i img input ins kbd label mark math mjx-assistive-mml mjx-container picture q rp rt ruby s samp script small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

type WriteBlock = (element: Element, context: InlineContext) => readonly string[]

const BLOCKS: Readonly<Record<string, WriteBlock>> = {
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, heading(level)])),
  a: linkedBlocks,
  blockquote: (element, context) => [quote(blocksOf(element, context))],
  ul: list,
  ol: list,
  table,
  hr: () => ['---'],
  dt: (element, context) => bold(inlineMarkdown(element.childNodes, context)),
  caption: (element, context) => bold(inlineMarkdown(element.childNodes, context)),
  summary,
}

/** Writes all below a node, block by block. */
export function blocksOf(parent: Parent, context: InlineContext): string[] {
  const blocks: string[] = []
  let run: Node[] = []
  const endRun = (): void => {
    const text = escapeStart(inlineMarkdown(run, context))
    if (text !== '') blocks.push(text)
    run = []
  }
  for (const child of parent.childNodes) {
    if (!isElement(child) || isInline(child)) run.push(child)
    else {
      endRun()
      for (const block of writeBlock(child, context)) blocks.push(block)
    }
  }
  endRun()
  return blocks
}

/** A span may hold a block, as that of a formula on lines of its own does. */
const isInline = (element: Element): boolean =>
  EMBEDDED.has(element.tagName) ||
  (INLINE.has(element.tagName) && !isBlockMath(element) && findElement(element, isBlock) === null)

const isBlock = (element: Element): boolean =>
  (element.tagName !== 'a' && BLOCKS[element.tagName] !== undefined) ||
  /^(?:p|div|pre|article|section|details|figure)$/.test(element.tagName) ||
  isBlockMath(element)

const isBlockMath = (element: Element): boolean => formulaOf(element)?.startsWith('$$') === true

function writeBlock(element: Element, context: InlineContext): readonly string[] {
  const { labels, shown } = context.tabs
  if (shown.has(element)) return []
  const label = labels.get(element)
  if (label !== undefined) return [...bold(escapeText(label, context)), ...unlabelled(element, context)]
  return isSilent(element) && !isBlockMath(element) ? [] : unlabelled(element, context)
}

function unlabelled(element: Element, context: InlineContext): readonly string[] {
  const diagram = diagramOf(element)
  if (diagram !== null) return [fenced('mermaid', diagram)]
  const formula = formulaOf(element)
  if (formula !== null) return [formula]
  const code = codeBlock(element)
  if (code !== null) return [context.inCell === true ? codeInCell(code) : code]
  if (isAdmonition(element)) return admonition(element, context)
  const grid = gridOf(element)
  if (grid !== null) return tableBlocks(grid, context)
  return BLOCKS[element.tagName]?.(element, context) ?? blocksOf(element, context)
}

/** A cell is one line: each line of code is code of its own. */
const codeInCell = (block: string): string =>
  block
    .split('\n')
    .slice(1, -1)
    .map((line) => inlineCode(line, { inCell: true }))
    .join('<br>')

function heading(level: number): WriteBlock {
  return (element, context) => {
    const text = inlineMarkdown(element.childNodes, { ...context, heading: element })
    if (text === '') return []
    if (context.inCell === true) return bold(text)
    const id = attribute(element, 'id') ?? ''
    const named =
      level === 1 || id === '' || id === headingAnchor(textOf(element, isSilent)) ? '' : ` {#${id}}`
    return [`${'#'.repeat(level)} ${text}${named}`]
  }
}

const bold = (text: string): readonly string[] => (text === '' ? [] : [`**${text}**`])
const quote = (blocks: readonly string[]): string => prefixed(blocks.join('\n\n'), '> ', '> ')

function prefixed(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, at) => ((at === 0 ? first : others) + line).trimEnd())
    .join('\n')
}

/** A link around blocks, as around a card: its first line of text carries the address. */
function linkedBlocks(element: Element, context: InlineContext): readonly string[] {
  const blocks = blocksOf(element, context)
  const title = blocks.findIndex((block) => /^#{1,6} /.test(block))
  const at = title >= 0 ? title : blocks.findIndex((block) => /^(?:\*\*|[^\s`>|$#!-])/.test(block))
  const [, signs = '', text = ''] = /^(#{1,6} )?(.*)$/s.exec(blocks[at] ?? '') ?? []
  const line = signs + (text.includes('](') ? text : linked(text, element, context))
  return at === -1
    ? [...blocks, linked('', element, context)].filter((block) => block !== '')
    : blocks.with(at, line)
}

/** A heading that opens and closes a part stays one. */
function summary(element: Element, context: InlineContext): readonly string[] {
  return findElement(element, isHeading) === null
    ? bold(inlineMarkdown(element.childNodes, context).replaceAll('**', ''))
    : blocksOf(element, context)
}

/** A list around headings only places parts of a page (Javadoc); an item without a text is left out. */
function list(element: Element, context: InlineContext): readonly string[] {
  const items = elementsOf(element).filter((child) => !isSilent(child) && !context.tabs.shown.has(child))
  if (items.some((item) => findElement(item, isHeading) !== null))
    return items.flatMap((item) => blocksOf(item, context))
  const [first] = items
  const start = Number((first && attribute(first, 'value')) ?? attribute(element, 'start') ?? 1)
  const written: string[][] = []
  for (const item of items) {
    // A list beside the items, which some editors write, belongs to the one before it.
    const above = item.tagName === 'li' ? undefined : written.at(-1)
    if (above === undefined) written.push(blocksOf(item, context))
    else above.push(...writeBlock(item, context))
  }
  const isLoose =
    items.some((item) => findElement(item, ({ tagName }) => tagName === 'p') !== null) ||
    written.some((blocks) => blocks.slice(1).some((block) => !/^(?:- |\d+\. )/.test(block)))
  const gap = isLoose ? '\n\n' : '\n'
  const texts = written
    .map((blocks) => blocks.join(gap))
    .filter((text) => text !== '')
    .map((text, at) => {
      const mark = element.tagName === 'ol' ? `${start + at}. ` : '- '
      return prefixed(text, mark, ' '.repeat(mark.length))
    })
  return texts.length === 0 ? [] : [texts.join(gap)]
}

const isHeading = ({ tagName }: Element): boolean => /^h[1-6]$/.test(tagName)

function table(element: Element, context: InlineContext): readonly string[] {
  const rows = rowsOf(element)
  const title = elementsOf(element).filter(({ tagName }) => tagName === 'caption')
  const blocks = title.flatMap((caption) => writeBlock(caption, context))
  if (isLayout(element, rows)) return [...blocks, ...layout(rows, context)]
  return [...blocks, ...tableBlocks(rows, context)]
}

/** A table within a cell becomes lines. */
function tableBlocks(rows: readonly (readonly Element[])[], context: InlineContext): readonly string[] {
  const write = (cell: Element): string => cellText(cell, { ...context, inCell: true })
  if (context.inCell === true) return rows.map((cells) => cells.map(write).filter(Boolean).join(' '))
  return [tableMarkdown(rows, write)].filter((text) => text !== '')
}

/** Cells that stand side by side: a line where all are words, else block after block. */
function layout(rows: readonly (readonly Element[])[], context: InlineContext): readonly string[] {
  const cells = rows.flat()
  if (cells.some((cell) => findElement(cell, isBlock) !== null))
    return cells.flatMap((cell) => blocksOf(cell, context))
  const text = cells.map((cell) => inlineMarkdown(cell.childNodes, context)).filter((one) => one !== '')
  return text.length === 0 ? [] : [text.join(' ')]
}

const cellText = (cell: Element, context: InlineContext): string =>
  blocksOf(cell, context).join('<br>').replaceAll('\n', '<br>')

const KINDS = /^(?:note|tip|info|important|warning|caution|danger)$/i

/** A box beside the text: by role, or by a class of the field's words for one. */
function isAdmonition(element: Element): boolean {
  const { tagName } = element
  if (!/^(?:div|aside|section)$/.test(tagName)) return false
  return (
    /^(?:note|alert)$/.test(attribute(element, 'role') ?? '') ||
    (tagName === 'aside' && attribute(element, 'aria-label') !== null) ||
    classOf(element)
      .split(/\s+/)
      .some((one) => /^(?:[\w-]+-)?(?:admonition|admonitionblock|callout|alert|custom-block)$/.test(one))
  )
}

function admonition(element: Element, context: InlineContext): readonly string[] {
  const title = findElement(element, (one) => /title|heading/i.test(classOf(one))) ?? firstLabel(element)
  const icon = findElement(element, (one) => attribute(one, 'title') !== null)
  const kind =
    classOf(element)
      .split(/\s+/)
      .find((one) => KINDS.test(one)) ?? ''
  const names = [
    title === null ? '' : inlineMarkdown([title], { ...context, heading: title }),
    attribute(element, 'aria-label') ?? '',
    icon === null ? '' : (attribute(icon, 'title') ?? ''),
    kind,
  ]
  if (title !== null) context.tabs.shown.add(title)
  const name = names.find((one) => one.trim() !== '') ?? ''
  return [quote([...bold(name.replaceAll('**', '').trim()), ...blocksOf(element, context)])]
}

/** The first part of a box when others follow it and it has no blocks of its own, as Docusaurus writes its title. */
function firstLabel(element: Element): Element | null {
  const [first, second] = elementsOf(element)
  return first?.tagName === 'div' && second !== undefined && findElement(first, isBlock) === null
    ? first
    : null
}

/** A paragraph that begins as something else would, does not. */
function escapeStart(text: string): string {
  return text
    .replace(/^(?:#{1,6}(?= |$)|[+-](?= |$)|>|={2,}$|-{3,}$)/gm, '\\$&')
    .replace(/^(\d+)([.)])(?= |$)/gm, '$1\\$2')
}
