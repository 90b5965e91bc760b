import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { inPageLanguage, inSiteLanguage } from './site-language.ts'
import { problemOf } from './texts/index.ts'

/** Fields used of the nodes of a page's tree. */
interface Node {
  readonly type: string
  readonly tagName?: string
  readonly properties?: { readonly value?: unknown; readonly dataMermaid?: unknown }
  children?: Node[]
  readonly value?: string
}

/** Fields used of the file that rehype compiles. */
interface RehypeFile {
  readonly path?: string
  readonly value?: unknown
}

const FENCE = /^[\s>]*(?:`{3,}|~{3,})\s*mermaid\b/
const MAX_REASON_LENGTH = 200

const element = (tagName: string, properties: object, children: Node[]): Node =>
  ({ type: 'element', tagName, properties, children }) as Node

/**
 * Keeps the source of a Mermaid diagram in the built page, from which its Markdown is made. A broken diagram is a warning to its writer, and
 * its source in a box to readers.
 */
export function rehypeDiagrams(): (tree: Node, file?: RehypeFile) => Promise<void> {
  return async (tree, file = {}) => {
    const lines = String(file.value ?? '').split('\n')
    const places = lines.flatMap((line, at) => (FENCE.test(line) ? [at + 1] : []))
    const keepSources = async (parent: Node): Promise<void> => {
      const kept: Node[] = []
      for (const child of parent.children ?? []) {
        await keepSources(child)
        const source = child.tagName === 'mermaid' ? child.properties?.value : undefined
        const isKept = kept.at(-1)?.properties?.dataMermaid === source // by a site that lists this plugin itself
        if (source === undefined || isKept) kept.push(child)
        else kept.push(...(await diagram(child, String(source), places.shift() ?? 1, file)))
      }
      if (parent.children !== undefined) parent.children = kept
    }
    await keepSources(tree)
  }
}

async function diagram(
  node: Node,
  source: string,
  line: number,
  { path: page }: RehypeFile,
): Promise<Node[]> {
  const problem = page === undefined ? null : await findProblem(page, source)
  if (problem === null) return [element('div', { hidden: true, dataMermaid: source }, []), node]
  const place = `${path.relative(process.cwd(), page ?? '')}:${line + problem.line}`
  console.warn(`[WARNING] ${inSiteLanguage(problemOf('broken_diagram', place, problem.reason))}`)
  const code = element('code', { className: ['language-mermaid'] }, [{ type: 'text', value: source }])
  const note = element('p', {}, [{ type: 'text', value: inPageLanguage(problemOf('diagram_unshown')) }])
  return [element('div', { className: ['alert', 'alert--secondary'] }, [note, element('pre', {}, [code])])]
}

/** Reason and line, counted from the first of the source, that Mermaid gives for not drawing it; null for a diagram, and without Mermaid. */
async function findProblem(page: string, source: string): Promise<{ line: number; reason: string } | null> {
  const mermaid = await loadMermaid(page)
  try {
    await mermaid?.parse(source)
    return null
  } catch (error) {
    if (error instanceof TypeError || error instanceof ReferenceError) return null // it needs a browser
    const message = error instanceof Error ? error.message : String(error)
    const line = Math.min(Number(/line (\d+)/.exec(message)?.[1] ?? 1), source.split('\n').length)
    return { line, reason: message.replace(/\s+/g, ' ').slice(0, MAX_REASON_LENGTH) }
  }
}

interface Mermaid {
  parse(source: string): Promise<unknown>
}

/** The Mermaid of the site's own theme. It cleans labels by DOMPurify, which has no functions outside of a browser. */
async function loadMermaid(page: string): Promise<Mermaid | null> {
  try {
    const theme = createRequire(createRequire(page).resolve('@docusaurus/theme-mermaid'))
    const file = theme.resolve('mermaid')
    const purify = createRequire(file).resolve('dompurify')
    const { default: mermaid } = await import(pathToFileURL(file).href)
    const module = pathToFileURL(path.join(path.dirname(purify), 'purify.es.mjs')).href
    const { default: cleaner } = await import(module)
    if (cleaner.isSupported === false)
      Object.assign(cleaner, { addHook: () => undefined, sanitize: (text: string) => text })
    return mermaid
  } catch {
    return null
  }
}
