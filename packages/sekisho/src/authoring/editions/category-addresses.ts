import { posix } from 'node:path'
import type { Message } from '@sekisho/contract/language'
import type { EditionFiles } from './check-whole.ts'
import { problemOf } from './read-editions.ts'
import type { SiteFile } from './site-files.ts'

/** Folders whose categories Docusaurus numbers together: of one plugin, version and language. */
const NUMBERED_TOGETHER = /^(?:i18n\/[^/]+\/[^/]+\/[^/]+|(?:[^/]+_)?versioned_docs\/[^/]+|[^/]+)/

/**
 * Says of which folders the address is another one in another edition: Docusaurus makes that of a category's label, and numbers those
 * that have the same one, so that `/category/setup-1` of who reads both is another folder's for who reads one of them.
 */
export function findMovingCategories(files: readonly SiteFile[], divided: EditionFiles): readonly Message[] {
  const pages = files.filter(({ isMarkdown }) => isMarkdown)
  const editionsOf = (folder: string) =>
    [...divided]
      .filter(([, held]) => pages.some(({ name }) => name.startsWith(`${folder}/`) && held.has(name)))
      .map(([edition]) => edition)
      .join()
  const numbered = files.flatMap(({ name, table }) => {
    const link = Object(table?.link)
    if (link.type !== 'generated-index' || link.slug !== undefined) return []
    const folder = posix.dirname(name)
    const label = String(table?.label ?? posix.basename(folder))
    return [
      { name, folder, key: JSON.stringify([NUMBERED_TOGETHER.exec(name)?.[0], label.toLowerCase()]), label },
    ]
  })
  return [...Map.groupBy(numbered, ({ key }) => key).values()]
    .filter((same) => new Set(same.map(({ folder }) => editionsOf(folder))).size > 1)
    .map((same) => {
      const names = same.map(({ name }) => name)
      return problemOf('category_moves', same[0]?.label ?? '', names)
    })
}
