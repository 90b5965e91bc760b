import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Dialect, toMarkdown } from './markdown.ts'
import { type Category, walk } from './tree.ts'

/** Writes the corpus as a folder of Markdown in the given dialect, replacing what was there. */
export function writeDocs(root: Category, { dir, dialect }: { dir: string; dialect: Dialect }): void {
  rmSync(dir, { recursive: true, force: true })
  for (const { category, path } of walk(root)) {
    const folder = join(dir, ...path)
    if (category.index !== null)
      writeText(join(folder, 'index.md'), toMarkdown(category.index, dialect, order(dialect, 0)))
    category.pages.forEach((page, index) => {
      writeText(join(folder, `${page.slug}.md`), toMarkdown(page, dialect, order(dialect, index + 1)))
    })
    if (dialect === 'docusaurus' && path.length > 0) writeCategoryFile(folder, category, path)
  }
}

/** Writes a text file, making its folder. */
export function writeText(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function order(dialect: Dialect, index: number): Record<string, number> {
  return dialect === 'docusaurus' ? { sidebar_position: index } : {}
}

function writeCategoryFile(folder: string, category: Category, path: readonly string[]): void {
  const position = Number(category.slug.replace(/\D/g, ''))
  // Labels repeat, and the addresses that Docusaurus makes of them are numbered anew when a folder comes or goes.
  const slug = `/category/${path.join('-')}`
  const link = category.index === null ? { link: { type: 'generated-index', slug } } : {}
  writeText(
    join(folder, '_category_.json'),
    JSON.stringify({ label: category.label, position, ...link }, null, 2),
  )
}
