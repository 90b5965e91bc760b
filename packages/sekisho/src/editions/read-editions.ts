import { readFile } from 'node:fs/promises'
import { join, matchesGlob } from 'node:path'
import { parseJson, ShapeReader } from '@sekisho/contract/json-shape'
import { ReleaseError } from '@sekisho/release'

/**
 * Where a site names its editions. Not in its config: Docusaurus sends that to every browser, and the name of an audience
 * is nothing for those who are not of it.
 */
export const EDITIONS_FILE = 'sekisho.editions.json'

/** What one kind of reader gets: the pages of its audiences, and those of everybody. */
export interface SiteEdition {
  readonly name: string
  /** Groups of the access policy, all of which a reader must belong to. */
  readonly audiences: readonly string[]
}

/** How a site tells its readers apart. */
export interface SiteEditions {
  /** A reader gets the first one whose groups admit them; the last one is everybody's. */
  readonly editions: readonly [SiteEdition, ...SiteEdition[]]
  /** The audience of files by a glob of their paths below the site. */
  readonly paths: ReadonlyMap<string, string>
}

const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/
const NAME_FORM = 'up to 40 lower-case letters, digits and hyphens'

/**
 * Reads which editions a site has; null for a site that does not tell its readers apart. Rejects with {@link ReleaseError}
 * with every problem.
 */
export async function readEditions(siteDir: string): Promise<SiteEditions | null> {
  const text = await readFile(join(siteDir, EDITIONS_FILE), 'utf8').catch((error) => {
    if (Object(error).code === 'ENOENT') return null
    throw error
  })
  return text === null ? null : readEditionsText(text)
}

/** Reads the text of the file; throws {@link ReleaseError}. */
export function readEditionsText(text: string): SiteEditions {
  const shape = new ShapeReader()
  const value = parseJson(text, EDITIONS_FILE, shape)
  const root = shape.object(value ?? {}, EDITIONS_FILE, ['editions', 'paths'])
  const editions = shape.array(root.editions ?? [], 'editions').map((item, index) => {
    const at = `editions[${index}]`
    const edition = shape.object(item, at, ['name', 'audiences'])
    return {
      name: shape.matching(edition.name, `${at} name`, NAME, NAME_FORM),
      audiences: shape
        .array(edition.audiences, `${at} audiences`)
        .map((audience) => shape.matching(audience, `${at} audiences`, NAME, NAME_FORM)),
    }
  })
  const paths = Object.entries(shape.record(root.paths ?? {}, 'paths')).map(
    ([glob, audience]) => [glob, shape.matching(audience, `paths ${glob}`, NAME, NAME_FORM)] as const,
  )
  const [first, ...others] = editions
  const problems = shape.problems.length > 0 ? shape.problems : findContradictions(editions, paths)
  if (problems.length > 0 || first === undefined)
    throw new ReleaseError(
      'site_invalid',
      problems.map((problem) => `${EDITIONS_FILE}: ${problem}`),
    )
  return { editions: [first, ...others], paths: new Map(paths) }
}

function findContradictions(
  editions: readonly SiteEdition[],
  paths: readonly (readonly [string, string])[],
): string[] {
  const problems: string[] = []
  const names = editions.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) problems.push(`two editions are named ${twice}`)
  if (editions.at(-1)?.audiences.length !== 0)
    problems.push(
      'the last edition must have no audiences ("audiences": []): it is for everybody who is admitted',
    )
  for (const [index, { name, audiences }] of editions.entries()) {
    const earlier = editions
      .slice(0, index)
      .find((one) => one.audiences.every((group) => audiences.includes(group)))
    if (earlier !== undefined)
      problems.push(
        `nobody ever gets edition ${name}: whoever may read it gets ${earlier.name}, so put it before that`,
      )
  }
  const known = knownAudiences({ editions })
  for (const [glob, audience] of paths)
    if (!known.has(audience)) problems.push(`paths ${glob}: no edition has the audience ${audience}`)
  return problems
}

/** Every audience that some edition contains. */
export function knownAudiences({
  editions,
}: Pick<SiteEditions, 'editions'> | { readonly editions: readonly SiteEdition[] }): ReadonlySet<string> {
  return new Set(editions.flatMap(({ audiences }) => audiences))
}

/** Whether pages of an audience are in an edition; those of nobody in particular are in every one. */
export function holdsAudience({ audiences }: SiteEdition, audience: string | null): boolean {
  return audience === null || audiences.includes(audience)
}

/** The globs that a file of the site, by its path with `/`, is meant by. */
export function globsOf({ paths }: Pick<SiteEditions, 'paths'>, file: string): readonly string[] {
  return [...paths.keys()].filter((glob) => matchesGlob(file, glob))
}
