import type { Message } from '@sekisho/contract/language'
import { ReleaseError } from '@sekisho/release'
import { findAddresses, isPage, usualAddresses } from './addresses.ts'
import { holdsAudience, problemOf, type SiteEdition, type SiteEditions } from './read-editions.ts'
import { createReferenceFinder, isServedAsIs } from './references.ts'
import type { SiteFile } from './site-files.ts'

/** Files of each edition, by name. */
export type EditionFiles = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Checks a whole site before building editions: a page naming a page, picture or partial of a narrower audience would fail or disclose it.
 * Rejects with {@link ReleaseError} naming file and line.
 * @returns the files of each edition: its pages and their pictures
 */
export function divideSite({ editions }: SiteEditions, files: readonly SiteFile[]): EditionFiles {
  const byName = new Map(files.map((file) => [file.name, file]))
  const findReferences = createReferenceFinder(files)
  const addresses = usualAddresses(files)
  const usedBy = new Map<string, SiteFile[]>()
  const problems: Message[] = []
  for (const file of files) {
    const named: Named[] = findReferences(file).map(({ line, name }) => {
      usedBy.set(name, [...(usedBy.get(name) ?? []), file])
      return { line, what: name, files: [byName.get(name) ?? file] }
    })
    if (!isPage(file)) continue // code is in the bundle of what imports it, and of nothing else
    for (const { line, address } of findAddresses(file))
      named.push({ line, what: address, files: addresses.get(address) ?? [] })
    problems.push(...named.flatMap((one) => findNarrower(editions, file, one)))
  }
  if (problems.length > 0) throw new ReleaseError('site_invalid', problems)
  return new Map(editions.map((edition) => [edition.name, filesOf(edition, files, usedBy)]))
}

/**
 * The files of an edition. A static file follows any page, code or other static file of the edition that names it. Unnamed ones belong to
 * every edition.
 */
function filesOf(
  edition: SiteEdition,
  files: readonly SiteFile[],
  usedBy: ReadonlyMap<string, readonly SiteFile[]>,
): ReadonlySet<string> {
  const follows = new Set(files.filter((file) => isServedAsIs(file) && isNamedByOthers(file, usedBy)))
  const reached = (from: (file: SiteFile) => boolean) => {
    const found = new Set(files.filter((file) => !follows.has(file) && from(file)))
    for (let size = -1; size !== found.size; ) {
      size = found.size
      for (const file of follows)
        if (from(file) && usedBy.get(file.name)?.some((user) => found.has(user))) found.add(file)
    }
    return found
  }
  const anywhere = reached(() => true)
  const here = reached((file) => holdsAudience(edition, file.audience))
  const others = [...follows].filter((file) => !anywhere.has(file) && holdsAudience(edition, file.audience))
  return new Set([...here, ...others].map(({ name }) => name))
}

const isNamedByOthers = (file: SiteFile, usedBy: ReadonlyMap<string, readonly SiteFile[]>): boolean =>
  usedBy.get(file.name)?.some((user) => user !== file) === true

/** Reference in a line: a file, or an address with the pages it belongs to or lists. */
interface Named {
  readonly line: number
  readonly what: string
  readonly files: readonly SiteFile[]
}

/** Problem of an edition that holds a page but not the target of its reference. */
function findNarrower(
  editions: readonly SiteEdition[],
  file: SiteFile,
  { line, what, files }: Named,
): Message[] {
  const lacking = editions.find(
    (one) =>
      files.length > 0 &&
      holdsAudience(one, file.audience) &&
      !files.some(({ audience }) => holdsAudience(one, audience)),
  )
  const audiences = [...new Set(files.flatMap(({ audience }) => audience ?? []))]
  return lacking === undefined
    ? []
    : [problemOf('names_narrower', `${file.name}:${line}`, what, audiences, lacking.name)]
}
