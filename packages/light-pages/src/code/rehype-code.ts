import { relative } from 'node:path'
import { type LineTag, writeLines } from './code-lines.ts'
import type { Highlighter } from './highlight.ts'

/** Result of the theme's own parser of code block options. */
export interface CodeMetadata {
  code: string
  className: string
  language: string
  title?: string | undefined
  lineNumbersStart: number | undefined
  lineClassNames: { [line: number]: string[] }
}

/** Options of the plugin; `parse` is theme-common's `createCodeBlockMetadata` with the site's settings. */
interface RehypeCodeOptions {
  highlight: Highlighter
  lineTag: LineTag
  /** The site supports `live` blocks; elsewhere they are ordinary code. */
  isLive: boolean
  /** Told of each `live` block of a site that has not. */
  onIdleLive(place: string): void
  parse(block: { code: string; className: string | undefined; metastring: string | undefined }): CodeMetadata
}

interface HastNode {
  type: string
  tagName?: string
  value?: string
  properties?: { [name: string]: unknown }
  children?: HastNode[]
  position?: { start: { line: number } }
}

/** Fields read from the page that is compiled. */
interface PageFile {
  path?: string
  cwd?: string
}

/** Highlights fenced code while the page is compiled; the browser gets finished lines and no highlighter. */
export function rehypeCode({ highlight, lineTag, parse, isLive, onIdleLive }: RehypeCodeOptions) {
  return (root: HastNode, file: PageFile): void => visit(root, null, file)

  function visit(node: HastNode, parent: HastNode | null, file: PageFile): void {
    if (node.tagName === 'code' && parent?.tagName === 'pre') transform(node, file)
    for (const child of node.children ?? []) visit(child, node, file)
  }

  function transform(node: HastNode, file: PageFile): void {
    const { className, metastring, live, ...others } = node.properties ?? {}
    const texts = node.children ?? []
    // Live editors and blocks with elements inside are drawn in the browser, as before.
    // In CommonMark pages it is an attribute without a value.
    const wantsLife = live === true || live === ''
    if ((wantsLife && isLive) || texts.some(({ type }) => type !== 'text')) return
    if (wantsLife) onIdleLive(placeOf(node, file))
    const metadata = parse({
      code: texts.map(({ value = '' }) => value).join(''),
      className: Array.isArray(className) ? className.join(' ') : undefined,
      metastring: typeof metastring === 'string' ? metastring : undefined,
    })
    const { code, language, title, lineNumbersStart, lineClassNames } = metadata
    const isNumbered = lineNumbersStart !== undefined
    node.properties = {
      ...others,
      className: metadata.className.split(' '),
      prerendered: writeLines(highlight(code, language), {
        tag: lineTag,
        classNames: lineClassNames,
        isNumbered,
      }),
      ...(title ? { title } : {}),
      ...(isNumbered ? { numbersfrom: lineNumbersStart } : {}),
    }
    node.children = []
  }
}

function placeOf({ position }: HastNode, { path = '', cwd = process.cwd() }: PageFile): string {
  const name = relative(cwd, path)
  return position === undefined ? name : `${name}:${position.start.line}`
}
