import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { inPageLanguage, inSiteLanguage } from './site-language.ts'
import { problemOf } from './texts/index.ts'

/** The KaTeX that renders the formulas; style sheet and markup must come from the same version. */
type Katex = { readonly version: string; readonly distDir: string }

/**
 * The site path of KaTeX's style sheet, or null where the site does not use rehype-katex. The version stands in the
 * path, so the file behind it never changes.
 */
export function katexHref(siteDir: string): string | null {
  const katex = findKatex(siteDir)
  return katex === null ? null : href(katex)
}

/**
 * Copies the style sheet and its fonts into a static folder and returns it. The bundler would put them into
 * the one style sheet of every page: 170 KB, because small fonts are inlined there.
 */
export function copyKatexAssets(siteDir: string, folder: string): string | null {
  const katex = findKatex(siteDir)
  if (katex === null) return null
  rmSync(folder, { recursive: true, force: true })
  const target = path.join(folder, path.posix.dirname(href(katex)))
  mkdirSync(path.join(target, 'fonts'), { recursive: true })
  const css = readFileSync(path.join(katex.distDir, 'katex.min.css'), 'utf8')
  writeFileSync(path.join(target, 'katex.min.css'), keepWoff2(css))
  for (const font of readdirSync(path.join(katex.distDir, 'fonts')).filter((name) =>
    name.endsWith('.woff2'),
  )) {
    cpSync(path.join(katex.distDir, 'fonts', font), path.join(target, 'fonts', font))
  }
  return folder
}

/** Drops the font formats no browser of the last ten years asks for. */
export function keepWoff2(css: string): string {
  return css.replace(/,url\([^)]+\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)/g, '')
}

const href = ({ version }: Katex): string => `/assets/katex-${version}/katex.min.css`

function findKatex(siteDir: string): Katex | null {
  try {
    const fromSite = createRequire(path.join(siteDir, 'package.json'))
    const fromRehype = createRequire(fromSite.resolve('rehype-katex'))
    const distDir = path.dirname(fromRehype.resolve('katex'))
    const { version } = fromRehype(path.join(distDir, '..', 'package.json'))
    return { version: String(version), distDir }
  } catch {
    return null
  }
}

/** As much of hast and of MDX's nodes as is needed here. */
type Node = {
  readonly type: string
  readonly properties?: { readonly className?: unknown }
  readonly children?: Node[]
  readonly [key: string]: unknown
}

/** Fields used of the file that rehype compiles, on which rehype-katex leaves what it could not render. */
interface RehypeFile {
  readonly path?: string
  readonly value?: unknown
  readonly messages: readonly {
    readonly source?: string
    readonly line?: number
    readonly cause?: unknown
    readonly ancestors?: readonly Node[]
  }[]
}

/**
 * A rehype plugin to run after rehype-katex: only pages with a formula load KaTeX's style sheet, and a broken formula is a warning to
 * its writer and its source in a box to readers. Expects what `katexHref` returned.
 */
export function rehypeMathStyles(href: string | null): (tree: Node, file?: RehypeFile) => void {
  return (tree, file) => {
    const lines = String(file?.value ?? '').split('\n')
    for (const { source, cause, ancestors = [], ...message } of file?.messages ?? []) {
      if (source !== 'rehype-katex') continue
      // A formula of its own lines has lost its place, and is found by its first line.
      const written = ancestors.at(-1)?.children?.[0]?.value
      const at = typeof written === 'string' ? lines.indexOf(written.split('\n', 1)[0] ?? '') : -1
      const place = `${path.relative(process.cwd(), file?.path ?? '')}:${message.line ?? Math.max(at, 0) + 1}`
      console.warn(`[WARNING] ${inSiteLanguage(problemOf('broken_formula', place, messageOf(cause)))}`)
    }
    boxBrokenFormulas(tree)
    if (href === null || !hasFormula(tree)) return
    tree.children?.push({
      type: 'mdxJsxFlowElement',
      name: 'MathStyles',
      attributes: [{ type: 'mdxJsxAttribute', name: 'href', value: href }],
      children: [],
    })
  }
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : '')

function boxBrokenFormulas(parent: Node): void {
  for (const node of parent.children ?? []) {
    const classes = node.properties?.className
    if (!Array.isArray(classes) || !classes.includes('katex-error')) {
      boxBrokenFormulas(node)
      continue
    }
    const source = { type: 'element', tagName: 'code', properties: {}, children: node.children ?? [] }
    const note = { type: 'text', value: inPageLanguage(problemOf('formula_unshown')) }
    Object.assign(node, {
      properties: { className: ['alert', 'alert--secondary'] },
      children: [note, source],
    })
  }
}

function hasFormula(node: Node): boolean {
  const classes = node.properties?.className
  if (Array.isArray(classes) && classes.includes('katex')) return true
  return node.children?.some(hasFormula) ?? false
}
