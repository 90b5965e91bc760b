import { ReleaseError } from '@sekisho/release'
import { holdsAudience, type SiteEdition, type SiteEditions } from './read-editions.ts'
import { findReferences } from './references.ts'
import type { SiteFile } from './site-files.ts'

/** Which files of a site each of its editions holds, by name. */
export type EditionFiles = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Looks at a site as a whole, before any edition is built: a page that names a page, a picture or a partial of a narrower
 * audience would fail an edition or give it away. Rejects with {@link ReleaseError} naming file and line of each.
 * @returns the files of each edition: pages of its audiences, and of the pictures that pages use, those of its own pages
 */
export function divideSite({ editions }: SiteEditions, files: readonly SiteFile[]): EditionFiles {
  const known = new Set(files.map(({ name }) => name))
  const audienceOf = new Map(files.map(({ name, audience }) => [name, audience]))
  const usedBy = new Map<string, SiteFile[]>()
  const problems: string[] = []
  for (const file of files) {
    for (const { line, name } of findReferences(file, known)) {
      usedBy.set(name, [...(usedBy.get(name) ?? []), file])
      if (!file.isMarkdown) continue // code is in the bundle of what imports it, and of nothing else
      const narrower = audienceOf.get(name) ?? null
      const lacking = editions.find(
        (one) => holdsAudience(one, file.audience) && !holdsAudience(one, narrower),
      )
      if (lacking !== undefined)
        problems.push(
          `${file.name}:${line}: names ${name}, which only ${narrower} may read; edition ${lacking.name} holds this page without it`,
        )
    }
  }
  if (problems.length > 0) throw new ReleaseError('site_invalid', problems)
  return new Map(
    editions.map((edition) => [
      edition.name,
      new Set(
        files.filter((file) => isPartOf(edition, file, usedBy.get(file.name) ?? [])).map(({ name }) => name),
      ),
    ]),
  )
}

/** A picture or an attachment that pages name goes where one of them goes. */
function isPartOf(edition: SiteEdition, file: SiteFile, users: readonly SiteFile[]): boolean {
  if (!holdsAudience(edition, file.audience)) return false
  if (file.text !== null || users.length === 0) return true
  return users.some(({ audience }) => holdsAudience(edition, audience))
}
