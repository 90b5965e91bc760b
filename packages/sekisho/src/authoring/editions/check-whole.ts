import { matchesGlob } from 'node:path'
import type { Message } from '@sekisho/contract/language'
import { ReleaseError } from '@sekisho/release'
import { findAddresses, isPage, usualAddresses } from './addresses.ts'
import {
  holdsAudience,
  knownAudiences,
  problemOf,
  type SiteEdition,
  type SiteEditions,
} from './read-editions.ts'
import { createReferenceFinder, isServedAsIs } from './references.ts'
import type { SiteFile } from './site-files.ts'

/** Files of each edition, by name. */
export type EditionFiles = ReadonlyMap<string, ReadonlySet<string>>

/** The editions of a site, and its static files that nothing names and no rule mentions. */
interface DividedSite {
  readonly held: EditionFiles
  /** Held by the edition that contains everything alone, or by none where there is no such edition. */
  readonly unnamed: readonly string[]
}

/**
 * Checks a whole site before building editions: a page naming a page, picture or partial of a narrower audience would fail or disclose it.
 * Rejects with {@link ReleaseError} naming file and line. Editions hold static files that they name or a rule assigns.
 */
export function divideSite(site: SiteEditions, files: readonly SiteFile[]): DividedSite {
  const { editions } = site
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
  const isStatic = createStaticCheck(files)
  const follows = new Set(
    files.filter((file) => isStatic(file) || (isServedAsIs(file) && isNamedByOthers(file, usedBy))),
  )
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
  const left = [...follows].filter((file) => !anywhere.has(file))
  const isRuled = ({ name, audience }: SiteFile) =>
    audience !== null || site.shared.some((glob) => matchesGlob(name, glob))
  const held = editions.map((edition) => {
    const isWhole = [...knownAudiences(site)].every((audience) => edition.audiences.includes(audience))
    const isOwn = ({ audience }: SiteFile) => holdsAudience(edition, audience)
    const others = left.filter((file) => isOwn(file) && (isWhole || isRuled(file)))
    return [edition.name, new Set([...reached(isOwn), ...others].map(({ name }) => name))] as const
  })
  return {
    held: new Map(held),
    unnamed: left.filter((file) => isStatic(file) && !isRuled(file)).map(({ name }) => name),
  }
}

const CONFIG = /^docusaurus\.config\.[cm]?[jt]s$/
const STATIC_FOLDERS = /\bstaticDirectories\s*:\s*\[([^\][]*)\]/

/**
 * Tells which files Docusaurus publishes whether or not a page names them: those below the static folders of the config. Where the config
 * lists these in a form that is not understood, any file that is not read as text may be one.
 */
function createStaticCheck(files: readonly SiteFile[]): (file: SiteFile) => boolean {
  const config = files.find(({ name }) => CONFIG.test(name))?.text ?? ''
  const isNamed = config.includes('staticDirectories')
  const listed = STATIC_FOLDERS.exec(config)?.[1]
  const folders = ['static', ...(listed?.matchAll(/['"`]([^'"`]+)['"`]/g) ?? [])].map((one) =>
    String(typeof one === 'string' ? one : one[1]).replace(/^\.\/|\/$/g, ''),
  )
  const isUnclear = isNamed && listed?.replace(/['"`][^'"`]+['"`]|[\s,]/g, '') !== ''
  return ({ name, text }) =>
    folders.some((folder) => name.startsWith(`${folder}/`)) || (isUnclear && text === null)
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
