import { headingAnchor } from '@sekisho/contract/page-markdown'
import {
  attribute,
  diagramOf,
  type Element,
  findAll,
  findFirst,
  hasClass,
  isElement,
  isSilent,
  type Node,
  type Parent,
  textOf,
} from './html-nodes.ts'
import { type InlineContext, inlineMarkdown, longestRun, texOf } from './inline.ts'

/** Elements that stand in a line of text. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo br cite code data del dfn em i img input ins kbd label mark q rp rt ruby s samp small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

type WriteBlock = (element: Element, context: InlineContext) => readonly string[]

const BLOCKS: Readonly<Record<string, WriteBlock>> = {
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, heading(level)])),
  pre: (element) => [codeBlock(element, element)],
  blockquote: (element, context) => [quote(blocksOf(element, context))],
  ul: list,
  ol: list,
  table,
  hr: () => ['---'],
  dt: (element, context) => bold(inlineMarkdown(element.childNodes, context)),
  summary: (element, context) => bold(inlineMarkdown(element.childNodes, context)),
}

/** Writes what is below a node, block by block. */
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
      if (!isSilent(child)) blocks.push(...writeBlock(child, context))
    }
  }
  endRun()
  return blocks
}

/** A span may hold a block, as that of a formula on lines of its own does. */
const isInline = (element: Element): boolean =>
  INLINE.has(element.tagName) &&
  !hasClass(element, 'katex-display') &&
  findFirst(
    element,
    ({ tagName }) => BLOCKS[tagName] !== undefined || tagName === 'p' || tagName === 'div',
  ) === null

function writeBlock(element: Element, context: InlineContext): readonly string[] {
  const diagram = diagramOf(element)
  if (diagram !== null) return [fenced('mermaid', diagram)]
  if (hasClass(element, 'katex-display')) return [`$$\n${texOf(element)}\n$$`]
  if (hasClass(element, 'theme-code-block')) return themeCode(element)
  if (hasClass(element, 'theme-admonition')) return admonition(element, context)
  if (hasClass(element, 'tabs-container')) return tabs(element, context)
  return BLOCKS[element.tagName]?.(element, context) ?? blocksOf(element, context)
}

function heading(level: number): WriteBlock {
  return (element, context) => {
    const text = inlineMarkdown(element.childNodes, context).replaceAll('\\\n', ' ')
    if (text === '') return []
    const id = attribute(element, 'id') ?? ''
    const named = level === 1 || id === '' || id === headingAnchor(textOf(element)) ? '' : ` {#${id}}`
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

function list(element: Element, context: InlineContext): readonly string[] {
  const start = Number(attribute(element, 'start') ?? 1)
  const items = element.childNodes.filter(isElement).filter((child) => !isSilent(child))
  const isLoose = items.some((item) => findFirst(item, ({ tagName }) => tagName === 'p') !== null)
  const written = items.map((item, at) => {
    const mark = element.tagName === 'ol' ? `${start + at}. ` : '- '
    const inside = blocksOf(item, context).join(isLoose ? '\n\n' : '\n')
    return prefixed(inside, mark, ' '.repeat(mark.length))
  })
  return written.length === 0 ? [] : [written.join(isLoose ? '\n\n' : '\n')]
}

/** A table without a row of headings gets an empty one: GFM has no other. */
function table(element: Element, context: InlineContext): readonly string[] {
  const rows = findAll(element, ({ tagName }) => tagName === 'tr').map((row) =>
    row.childNodes.filter(isElement).filter(({ tagName }) => /^t[dh]$/.test(tagName)),
  )
  const width = Math.max(0, ...rows.map((cells) => cells.length))
  if (width === 0) return []
  const write = (cells: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, at) => cells[at] ?? '').join(' | ')} |`
  const texts = rows.map((cells) => cells.map((cell) => cellText(cell, context)))
  const hasHead = rows[0]?.every(({ tagName }) => tagName === 'th') === true
  const [head = [], ...body] = hasHead ? texts : [[], ...texts]
  return [[write(head), write(Array(width).fill('---')), ...body.map(write)].join('\n')]
}

const cellText = (cell: Element, context: InlineContext): string =>
  blocksOf(cell, { ...context, inCell: true })
    .join('<br>')
    .replace(/\\?\n/g, '<br>')

/** The title goes where a writer has it: behind the language. */
function themeCode(element: Element): readonly string[] {
  const pre = findFirst(element, ({ tagName }) => tagName === 'pre')
  return pre === null ? [] : [codeBlock(pre, element)]
}

function codeBlock(pre: Element, around: Element): string {
  const named = findFirst({ ...around, childNodes: [around] }, (one) => languageOf(one) !== null)
  const language = named === null ? '' : (languageOf(named) ?? '')
  const title = findFirst(around, (one) => /codeBlockTitle/.test(attribute(one, 'class') ?? ''))
  const text = textOf(pre).replace(/\n$/, '')
  const info = [
    language === 'text' ? '' : language,
    ...(title === null ? [] : [`title="${textOf(title)}"`]),
  ].join(' ')
  return fenced(info, text)
}

function fenced(info: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text, '`') + 1))
  return `${fence}${info}\n${text}\n${fence}`
}

const languageOf = (element: Element): string | null =>
  /(?:^|\s)lang(?:uage)?-([\w+#.-]+)/.exec(attribute(element, 'class') ?? '')?.[1] ?? null

function admonition(element: Element, context: InlineContext): readonly string[] {
  const [title, ...content] = element.childNodes.filter(isElement)
  const heading = title === undefined ? [] : bold(inlineMarkdown(title.childNodes, context))
  return [quote([...heading, ...content.flatMap((part) => blocksOf(part, context))])]
}

/** Every tab's text below its label. */
function tabs(element: Element, context: InlineContext): readonly string[] {
  const labels = findAll(element, (one) => attribute(one, 'role') === 'tab').map((tab) =>
    inlineMarkdown(tab.childNodes, context),
  )
  const panels = findAll(element, (one) => attribute(one, 'role') === 'tabpanel')
  return panels.flatMap((panel, at) => [...bold(labels[at] ?? ''), ...blocksOf(panel, context)])
}

/** A paragraph that begins as something else would, does not. */
function escapeStart(text: string): string {
  return text
    .replace(/^(?:#{1,6}(?= |$)|[+-](?= |$)|>|={2,}$|-{3,}$)/gm, '\\$&')
    .replace(/^(\d+)([.)])(?= |$)/gm, '$1\\$2')
}
