import { ShapeReader } from '@sekisho/contract/json-shape'
import type { Message } from '@sekisho/contract/language'
import { fieldsOfMetas, type PageMetadata, readPageMetadata } from '@sekisho/contract/page-metadata'
import { ReleaseError } from '../../errors.ts'
import type { Edition, ReleaseFile } from '../../manifest.ts'
import { splitTarget } from '../../request-path.ts'
import { problemOf } from '../../texts/index.ts'
import type { StoredRoute } from './blob-writer.ts'

/**
 * Adds to the pages of an edition the metadata that their HTML carries. Throws {@link ReleaseError} with each page whose
 * metadata cannot be read, or is replaced by a page that the edition lacks.
 */
export function attachMetadata(
  files: ReadonlyMap<string, ReleaseFile>,
  stored: readonly StoredRoute[],
  redirects: Edition['redirects'],
): ReadonlyMap<string, ReleaseFile> {
  const problems: Message[] = []
  const attached = new Map(files)
  for (const { path, facts } of stored) {
    const file = files.get(path)
    if (facts === undefined || file === undefined) continue
    const shape = new ShapeReader()
    const page = readPageMetadata({ ...fieldsOfMetas(facts.metas), ...facts.standard }, path, shape)
    problems.push(...shape.problems)
    const metadata = resolveReplacement(page, files, redirects)
    if (metadata === null) problems.push(problemOf('replaced_by_nothing', path, page.replacedBy ?? ''))
    else if (Object.keys(metadata).length > 0) attached.set(path, { ...file, page: metadata })
  }
  if (problems.length > 0) throw new ReleaseError('build_invalid', problems)
  return attached
}

/** Names the replacing page by its one path; null where the edition has none. */
function resolveReplacement(
  page: PageMetadata,
  files: ReadonlyMap<string, ReleaseFile>,
  redirects: Edition['redirects'],
): PageMetadata | null {
  const { replacedBy } = page
  if (replacedBy === undefined) return page
  const target = files.has(replacedBy) ? replacedBy : splitTarget(redirects.get(replacedBy) ?? '').path
  return files.get(target)?.delivery === 'page' ? { ...page, replacedBy: target } : null
}
