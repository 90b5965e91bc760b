import type { Message } from '@sekisho/contract/language'
import type { DividedIndex } from '@sekisho/contract/site-json'
import { ReleaseError } from '../../errors.ts'
import { DEFAULT_EDITION, type Edition } from '../../manifest.ts'
import { problemOf } from '../../texts/index.ts'
import { type BuildFile, listBuild } from '../build/build-files.ts'
import { readOtherPages } from '../build/other-pages.ts'
import { type LocalisedSite, readLocalisedSite } from '../build/read-site.ts'
import { findLinksOutside } from './between-editions.ts'
import { planRoutes, type RoutePlan } from './plan-routes.ts'

/** The build of one edition. */
export interface EditionBuild extends Pick<Edition, 'name' | 'audiences' | 'labels'> {
  /** With the folder `__sekisho` that `@sekisho/docusaurus` wrote. */
  readonly buildDir: string
  /** Parts of search indexes divided among editions, by path; absent where each is one file. */
  readonly dividedIndexes?: ReadonlyMap<string, DividedIndex>
}

/** Builds to pack: the only one of a site without audiences, or one for each edition, in their order. */
export type Builds = Pick<EditionBuild, 'buildDir'> | { readonly editions: readonly EditionBuild[] }

/** An edition that has been read, and may be stored. */
export interface PlannedEdition extends EditionBuild {
  readonly site: LocalisedSite
  readonly plan: RoutePlan
  /** Build files that never enter a release. */
  readonly leftOut: readonly string[]
}

/** Reads every build. Rejects with {@link ReleaseError} with every problem of all of them. */
export async function planEditions(builds: Builds): Promise<readonly PlannedEdition[]> {
  const editions =
    'editions' in builds ? builds.editions : [{ ...builds, name: DEFAULT_EDITION, audiences: [] }]
  const problems: Message[] = []
  const planned: PlannedEdition[] = []
  for (const edition of editions) {
    const found = await planEdition(edition)
    planned.push(found)
    problems.push(...found.problems)
  }
  if (problems.length === 0) problems.push(...(await findLinksOutside(planned)))
  if (problems.length > 0) throw new ReleaseError('build_invalid', onceEach(problems))
  return planned
}

async function planEdition(build: EditionBuild) {
  const { buildDir } = build
  const described = await readLocalisedSite(buildDir)
  const listing = await listBuild(buildDir)
  const { unused = [] } = described
  const isUnused = ({ name }: BuildFile) =>
    unused.some((place) => name.startsWith(place) && (place.endsWith('/') || name.endsWith('.json')))
  const named = new Set(described.pages.map(({ file }) => file))
  const misnamed = listing.misnamed.filter(({ name }) => !named.has(name))
  const pagesElsewhere = listing.misnamed.filter(({ name }) => named.has(name))
  const files = [...listing.files, ...pagesElsewhere].filter((file) => !isUnused(file))
  const leftOut = [...listing.leftOut, ...listing.files.filter(isUnused).map(({ name }) => name)]
  const others = await readOtherPages(described, files)
  const left = new Set(described.redirects.map(({ from }) => from))
  const site = {
    ...described,
    pages: [...described.pages, ...others.pages],
    redirects: [...described.redirects, ...others.redirects.filter(({ from }) => !left.has(from))],
  }
  const plan = planRoutes(site, files)
  const problems = [
    ...listing.problems,
    ...misnamed.map(({ problem }) => problem),
    ...others.undecodable.map((name) => problemOf('undecodable', name)),
    ...plan.problems,
  ]
  return { ...build, site, plan, leftOut, problems }
}

/** Editions share files, and so have the same problems with them. */
const onceEach = (problems: readonly Message[]): readonly Message[] => [
  ...new Map(problems.map((problem) => [String(problem), problem])).values(),
]
