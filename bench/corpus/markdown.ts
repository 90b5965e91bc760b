import type { Block, Page } from './page.ts'

/** The dialects differ in where a title and how an admonition is written. */
export type Dialect = 'docusaurus' | 'starlight'

/** Writes a page as Markdown with the front matter the dialect expects. */
export function toMarkdown(
  page: Page,
  dialect: Dialect,
  extra: Record<string, string | number> = {},
): string {
  const matter = { title: page.title, description: page.description, ...extra }
  const head = Object.entries(matter).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  const body = page.sections.flatMap(({ heading, level, blocks }) => [
    `${'#'.repeat(level)} ${heading}`,
    ...blocks.map((block) => writeBlock(block, dialect)),
  ])
  const title = dialect === 'starlight' ? [] : [`# ${page.title}`]
  return `---\n${head.join('\n')}\n---\n\n${[...title, page.description, ...body].join('\n\n')}\n`
}

function writeBlock(block: Block, dialect: Dialect): string {
  switch (block.type) {
    case 'prose':
      return block.text
    case 'list':
      return block.items.map((item) => `- ${item}`).join('\n')
    case 'table':
      return [
        '| 項目 | 値 | 説明 |',
        '|---|---|---|',
        ...block.rows.map((row) => `| ${row.join(' | ')} |`),
      ].join('\n')
    case 'admonition':
      return writeAdmonition(block.kind, block.text, dialect)
    case 'code':
      return `\`\`\`${block.language} title="${block.title}" {2}\n${block.code}\n\`\`\``
  }
}

function writeAdmonition(kind: 'note' | 'tip' | 'warning', text: string, dialect: Dialect): string {
  if (dialect === 'docusaurus') return `:::${kind}\n\n${text}\n\n:::`
  return `:::${kind === 'warning' ? 'caution' : kind}\n${text}\n:::`
}
