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
    const metadata = resolvePages(page, files, redirects)
    if (metadata === null) problems.push(problemOf('replaced_by_nothing', path, page.replacedBy ?? ''))
    else if (Object.keys(metadata).length > 0) attached.set(path, { ...file, page: metadata })
  }
  if (problems.length > 0) throw new ReleaseError('build_invalid', problems)
  return attached
}

/**
 * Names the replacing page, and the original of a translation, by their one path. Null where the edition has no page to replace this one;
 * an original that it lacks is not named.
 */
function resolvePages(
  { replacedBy, translationOf, ...page }: PageMetadata,
  files: ReadonlyMap<string, ReleaseFile>,
  redirects: Edition['redirects'],
): PageMetadata | null {
  const find = (path: string | undefined) => {
    if (path === undefined) return null
    const target = files.has(path) ? path : splitTarget(redirects.get(path) ?? '').path
    return files.get(target)?.delivery === 'page' ? target : null
  }
  const [replacement, original] = [find(replacedBy), find(translationOf)]
  if (replacedBy !== undefined && replacement === null) return null
  return {
    ...page,
    ...(original !== null && { translationOf: original }),
    ...(replacement !== null && { replacedBy: replacement }),
  }
}
