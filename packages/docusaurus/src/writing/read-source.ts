import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { PageSection } from '@sekisho/search/indexer'
import { findMdxLoader } from './mdx-loader.ts'

/** A page as its writer has it, before anything was built. */
export interface PageSource {
  readonly sections: readonly PageSection[]
  readonly links: readonly SourceLink[]
  /** Anchors of the page; null when its components, rendered only in a build, may add more. */
  readonly anchors: ReadonlySet<string> | null
}

/** A link with its line in the file, counted from 1. */
interface SourceLink {
  readonly target: string
  readonly line: number
}

/** Fields used of the nodes of a Markdown tree. */
interface Node {
  readonly type: string
  readonly value?: string
  readonly children?: readonly Node[]
  readonly url?: string
  readonly alt?: string | null
  readonly depth?: number
  readonly attributes?: readonly { readonly name?: string; readonly value?: unknown }[]
  readonly position?: { readonly start: { readonly line: number } }
}

interface Parser {
  parse(text: string): Node
}

interface Slugger {
  slug(text: string): string
}

/** Text of the page's code, not of the page. */
const SILENT: ReadonlySet<string> = new Set([
  'yaml',
  'mdxjsEsm',
  'definition',
  'mdxTextExpression',
  'mdxFlowExpression',
])
const BLOCKS: ReadonlySet<string> = new Set(
  'paragraph code blockquote listItem tableRow containerDirective leafDirective mdxJsxFlowElement html'.split(
    ' ',
  ),
)
const HEADING_ID = /\s*\{#([^}\s]+)\}\s*$|\s*(?:<!--|\/\*)\s*#(\S+)\s*(?:-->|\*\/)\s*$/
/** Anchors in the frame of every page. */
const FRAME_ANCHORS = ['footnote-label', '__docusaurus_skipToContent_fallback']

/**
 * Reads Markdown with the parsers of the Docusaurus that the site has installed.
 * @param format of `.md` files, as the site's `markdown.format` says
 */
export async function createSourceReader(
  siteDir: string,
  format: string,
): Promise<(file: string, text: string) => PageSource> {
  const loader = createRequire(findMdxLoader(siteDir))
  const load = (name: string) => import(loader.resolve(name))
  const [{ createProcessor }, { default: gfm }, { default: directive }, { default: frontmatter }] =
    await Promise.all(['@mdx-js/mdx', 'remark-gfm', 'remark-directive', 'remark-frontmatter'].map(load))
  const { createSlugger } = loader('@docusaurus/utils')
  const remarkPlugins = [frontmatter, directive, gfm]
  const parsers: Readonly<Record<'md' | 'mdx', Parser>> = {
    md: createProcessor({ format: 'md', remarkPlugins }),
    mdx: createProcessor({ format: 'mdx', remarkPlugins }),
  }
  const parse = (format: 'md' | 'mdx', text: string) => readTree(parsers[format].parse(text), createSlugger())
  return (file, text) => {
    const isMdx = format === 'mdx' || (format === 'detect' && file.endsWith('.mdx'))
    if (!isMdx) return parse('md', text)
    try {
      // In MDX a brace begins an expression, but for the id of a heading.
      return parse('mdx', text.replace(/^(#{1,6} .*)\{#/gm, '$1\\{#'))
    } catch {
      // Formulas, or a mistake, which the page itself says at length.
      return { ...parse('md', text), anchors: null }
    }
  }
}

/** Markdown files that a page shows as parts of itself, relative to the page. */
export function partialsOf(text: string, file: string): string[] {
  const imports = text.matchAll(/^import\s[^'"]*['"](\.{1,2}\/[^'"]+\.mdx?)['"]/gm)
  return Array.from(imports, ([, name = '']) => join(dirname(file), name))
}

function readTree(tree: Node, slugger: Slugger): PageSource {
  const sections: { heading: string; level: number; anchor: string; text: string }[] = []
  let current = { heading: '', level: 1, anchor: '', text: '' }
  sections.push(current)
  const links: SourceLink[] = []
  const anchors = new Set(FRAME_ANCHORS)
  let isOpen = false
  const read = (node: Node): void => {
    const line = node.position?.start.line ?? 1
    if (node.type === 'mdxjsEsm') isOpen ||= /^import\s[^'"]*['"](?!.*\.mdx?['"])/m.test(node.value ?? '')
    if ((node.type === 'link' || node.type === 'definition') && node.url !== undefined)
      links.push({ target: node.url, line })
    for (const { name, value } of attributesOf(node)) {
      if (name === 'id' || name === 'name') anchors.add(value)
      else if (name === 'href' || name === 'to') links.push({ target: value, line })
    }
    if (SILENT.has(node.type)) return
    if (node.type === 'heading') {
      const { text, id } = headingOf(node, slugger)
      anchors.add(id)
      if ((node.depth ?? 1) > 1) {
        current = { heading: text, level: node.depth ?? 2, anchor: id, text: '' }
        sections.push(current)
      } else current.heading = text
      for (const child of node.children ?? []) if (child.type === 'link') read(child)
      return
    }
    current.text += ownText(node)
    for (const child of node.children ?? []) read(child)
    if (node.type === 'tableCell') current.text += '\t'
    if (BLOCKS.has(node.type) && !current.text.endsWith('\n')) current.text += '\n'
  }
  read(tree)
  return {
    sections: sections.map((section) => ({ ...section, text: section.text.trim() })),
    links,
    anchors: isOpen ? null : anchors,
  }
}

function headingOf(node: Node, slugger: Slugger): { readonly text: string; readonly id: string } {
  const whole = textOf(node)
  const [ending = '', written, commented] = HEADING_ID.exec(whole) ?? []
  const text = whole
    .slice(0, whole.length - ending.length)
    .replace(/<!--.*?-->|\/\*.*?\*\//g, '')
    .trim()
  return { text, id: written ?? commented ?? slugger.slug(text) }
}

const textOf = (node: Node): string =>
  node.children === undefined ? (node.value ?? node.alt ?? '') : node.children.map(textOf).join('')

function ownText(node: Node): string {
  if (node.type === 'html') return (node.value ?? '').replace(/<!--[\s\S]*?-->|<[^>]*>/g, '')
  if (node.type === 'break') return '\n'
  if (node.type === 'image') return ` ${node.alt ?? ''} `
  return node.children === undefined ? (node.value ?? '') : ''
}

/** Attributes with a text as their value, of an element of HTML in either form. */
function attributesOf(node: Node): { readonly name: string; readonly value: string }[] {
  if (node.type === 'html')
    return Array.from(
      (node.value ?? '').replace(/<!--[\s\S]*?-->/g, '').matchAll(/\s(id|name|href)=["']([^"']+)["']/g),
      ([, name = '', value = '']) => ({ name, value }),
    )
  if (!node.type.startsWith('mdxJsx')) return []
  return (node.attributes ?? []).flatMap(({ name, value }) =>
    name !== undefined && typeof value === 'string' ? [{ name, value }] : [],
  )
}
