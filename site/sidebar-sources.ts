import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const site = fileURLToPath(new URL('.', import.meta.url))
const { parse } = createRequire(import.meta.url)('yaml')

/** A category of Docs that has a page of its own, from its `_category_.json`. */
interface DocsCategory {
  readonly folder: string
  readonly label: string
  readonly position: number
  readonly link: { readonly slug: string; readonly title: string; readonly description: string }
}

/** The categories of Docs in their order, for the sidebars of Knowledge, which lists them too. */
export function docsCategories(): DocsCategory[] {
  return readdirSync(join(site, 'docs'))
    .map((folder) => ({ folder, file: join(site, 'docs', folder, '_category_.json') }))
    .filter(({ file }) => existsSync(file))
    .map(({ folder, file }) => ({ folder, ...JSON.parse(readFileSync(file, 'utf8')) }))
    .filter(({ link }) => link?.type === 'generated-index')
    .sort((a, b) => a.position - b.position)
}

/** Links to every page of Knowledge, in the order of its own sidebar, for the sidebar of pages that stand in Docs' plugin. */
export function knowledgeLinks(): { readonly label: string; readonly href: string }[] {
  return globSync('**/[!_]*.{md,mdx}', { cwd: join(site, 'knowledge') })
    .map((file) => {
      const text = readFileSync(join(site, 'knowledge', file), 'utf8')
      const page = parse(/^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? '') ?? {}
      const path = page.slug ?? `/${file.replace(/\.mdx?$/, '').replace(/(?:^|\/)index$/, '/')}`
      return {
        label: String(page.sidebar_label ?? page.title),
        href: `/knowledge${path}`,
        position: page.sidebar_position ?? Number.POSITIVE_INFINITY,
        isHidden: page.draft === true || page.unlisted === true,
      }
    })
    .filter(({ isHidden }) => !isHidden)
    .sort((a, b) => compare(a.position, b.position) || a.label.localeCompare(b.label, 'ja'))
    .map(({ label, href }) => ({ label, href }))
}

const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1)
