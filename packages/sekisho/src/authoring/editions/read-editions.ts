import { readFile } from 'node:fs/promises'
import { join, matchesGlob } from 'node:path'
import { parseHandwrittenJson } from '@sekisho/contract/handwritten-json'
import { ShapeReader } from '@sekisho/contract/json-shape'
import { createMessages, type Message } from '@sekisho/contract/language'
import { ReleaseError } from '@sekisho/release'
import { TEXTS } from '../../texts/index.ts'

/**
 * File of a site's editions. Not its config: Docusaurus sends that to every browser, and the name of an audience is for its members alone.
 */
export const EDITIONS_FILE = 'sekisho.editions.json'

/** Makes a problem of how a site, or a folder, tells its readers apart. */
export const problemOf = createMessages(TEXTS, 'editions')

/** Pages of one kind of reader: those of its audiences, and unrestricted ones. */
export interface SiteEdition {
  readonly name: string
  /** Groups of the access policy, all of which a reader must belong to. */
  readonly audiences: readonly string[]
}

/** Division of a site's readers. */
export interface SiteEditions {
  /** Editions in order: readers get the first whose groups admit them; the last is unrestricted. */
  readonly editions: readonly [SiteEdition, ...SiteEdition[]]
  /** The audience of files by a glob of their paths below the site. */
  readonly paths: ReadonlyMap<string, string>
  /** Globs of files that belong to every edition though no page names them. */
  readonly shared: readonly string[]
  /** Names for readers, by audience and by edition: on pages of an audience, the account page and notices. */
  readonly labels: ReadonlyMap<string, string>
}

const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/
const LABEL = /^\S(?:.{0,38}\S)?$/u
const LABEL_FORM = problemOf('label_form')
const NAME_FORM = problemOf('name_form')

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
  const read = parseHandwrittenJson(text)
  if (!read.ok) shape.report(EDITIONS_FILE, read.problem)
  const root = shape.object(read.ok ? read.value : {}, EDITIONS_FILE, [
    'editions',
    'paths',
    'labels',
    'shared',
  ])
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
  const labels = Object.entries(shape.record(root.labels ?? {}, 'labels')).map(
    ([audience, label]) =>
      [audience, shape.matching(label, `labels ${audience}`, LABEL, LABEL_FORM)] as const,
  )
  const shared = shape.array(root.shared ?? [], 'shared').map((glob) => shape.text(glob, 'shared'))
  const [first, ...others] = editions
  const named = [
    ...paths.map(([glob, audience]) => [`paths ${glob}`, audience] as const),
    ...labels
      .filter(([name]) => !editions.some((edition) => edition.name === name))
      .map(([audience]) => [`labels ${audience}`, audience] as const),
  ]
  const problems = shape.problems.length > 0 ? shape.problems : findContradictions(editions, named)
  if (problems.length > 0 || first === undefined)
    throw new ReleaseError(
      'site_invalid',
      problems.map((problem) => problemOf('in_file', EDITIONS_FILE, problem)),
    )
  return { editions: [first, ...others], paths: new Map(paths), labels: new Map(labels), shared }
}

function findContradictions(
  editions: readonly SiteEdition[],
  named: readonly (readonly [where: string, audience: string])[],
): Message[] {
  const problems: Message[] = []
  const names = editions.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) problems.push(problemOf('same_name', twice))
  if (editions.at(-1)?.audiences.length !== 0) problems.push(problemOf('no_last'))
  for (const [index, { name, audiences }] of editions.entries()) {
    const earlier = editions
      .slice(0, index)
      .find((one) => one.audiences.every((group) => audiences.includes(group)))
    if (earlier !== undefined) problems.push(problemOf('edition_unreachable', name, earlier.name))
  }
  const known = knownAudiences({ editions })
  for (const [where, audience] of named)
    if (!known.has(audience)) problems.push(problemOf('unknown_audience', where, audience))
  return problems
}

/** The labels that readers of an edition may see; none where it has none. */
export function labelsIn(
  { labels }: Pick<SiteEditions, 'labels'>,
  { name, audiences }: SiteEdition,
): { readonly labels?: ReadonlyMap<string, string> } {
  const own = [...labels].filter(([one]) => one === name || audiences.includes(one))
  return own.length === 0 ? {} : { labels: new Map(own) }
}

/** Every audience that some edition contains. */
export function knownAudiences({
  editions,
}: Pick<SiteEditions, 'editions'> | { readonly editions: readonly SiteEdition[] }): ReadonlySet<string> {
  return new Set(editions.flatMap(({ audiences }) => audiences))
}

/** Tells if an edition contains pages of an audience; null means unrestricted pages, contained in all. */
export function holdsAudience({ audiences }: SiteEdition, audience: string | null): boolean {
  return audience === null || audiences.includes(audience)
}

/** The globs that a file of the site, by its path with `/`, is meant by. */
export function globsOf({ paths }: Pick<SiteEditions, 'paths'>, file: string): readonly string[] {
  return [...paths.keys()].filter((glob) => matchesGlob(file, glob))
}
