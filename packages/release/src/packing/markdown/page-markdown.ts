import { blocksOf } from './blocks.ts'
import { contentOf, type Parent } from './html-nodes.ts'
import { readPageFacts } from './page-facts.ts'
import { readTabs } from './tabs.ts'

/** Changes with what is made of a page, so that nothing made before is taken for it. */
export const MARKDOWN_MAKER = 'markdown-6'

/** Path of a page, and its name on the site. */
interface PageOfSite {
  /** Decoded canonical path. */
  readonly path: string
  readonly title: string
}

/**
 * The text of a built page as Markdown (GFM, formulas in dollars), below lines of YAML with what the page says of itself: `title`,
 * `description`, `updated` (a day), `owner`, `version`, `kind: listing` of pages made of others. Links to this site are decoded paths.
 */
export function pageMarkdown(page: Parent, { path, title }: PageOfSite): string {
  const content = contentOf(page)
  const blocks = blocksOf(content, { path, tabs: readTabs(content) })
  const hasHeading = blocks.some((block) => block.startsWith('# '))
  const text = hasHeading ? blocks : [`# ${title}`, ...blocks]
  const facts = Object.entries({ title, ...readFacts(page) }).filter(([, value]) => value !== '')
  const lines = facts.map(([name, value]) => `${name}: ${JSON.stringify(value.replace(/\s+/g, ' ').trim())}`)
  return `---\n${lines.join('\n')}\n---\n\n${text.join('\n\n')}\n`
}

function readFacts(page: Parent) {
  const { standard, author, version, isListing, metas } = readPageFacts(page)
  const { description = '', updated = '' } = standard
  const owner = metas.find(({ name }) => name === 'sekisho-owner')?.content ?? author
  return { description, updated, owner, version, kind: isListing ? 'listing' : '' }
}
