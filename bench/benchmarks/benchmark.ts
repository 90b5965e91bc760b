import { existsSync } from 'node:fs'
import type { Result } from '../report.ts'
import { buildSite } from '../subjects/build-site.ts'
import { createCurtainSubject, createDocusaurusSubject } from '../subjects/docusaurus.ts'
import { starlight } from '../subjects/starlight.ts'
import type { Site, Subject } from '../subjects/subject.ts'

/** Command line options of a benchmark. */
export interface Options {
  size: number
  runs: number
  filter: string
  rebuild: boolean
}

/** A named measurement over several subjects. */
export interface Benchmark {
  name: string
  run(options: Options): Promise<Result>
}

/** The row every ratio compares with. */
export const OURS = 'Sekisho'

/** The design most teams have; built as stock is. */
const CURTAIN = createCurtainSubject('Docusaurus 3.10 behind client-side Firebase')

const SUBJECTS: readonly Subject[] = [
  createDocusaurusSubject(OURS, 'sekisho'),
  createDocusaurusSubject('Docusaurus 3.10, no gate', 'stock'),
  CURTAIN,
  starlight,
]

/** The writer's whole wait: the site is built, indexed, compressed and published. */
const RELEASE = createDocusaurusSubject(OURS, 'release')

/** Subjects of this run, in turn: ours first. */
export function pickSubjects({ filter }: Options): Subject[] {
  return filterSubjects(SUBJECTS, filter)
}

/** The same for a build, of which ours makes a whole release. */
export function pickBuilds({ filter }: Options): Subject[] {
  const peers = SUBJECTS.filter((subject) => subject.name !== OURS && subject !== CURTAIN)
  return filterSubjects([RELEASE, ...peers], filter)
}

function filterSubjects(subjects: readonly Subject[], filter: string): Subject[] {
  return subjects.filter(({ name }) => name === OURS || name.toLowerCase().includes(filter.toLowerCase()))
}

/** A built site; one from an earlier run serves as well. A peer that cannot be built at this size is a problem, not the end. */
export async function ensureBuilt(
  subject: Subject,
  { size, rebuild }: Options,
  problems: string[],
): Promise<Site | null> {
  try {
    const site = await subject.prepare(size)
    if (rebuild || !existsSync(site.outDir)) await buildSite(site, { DOCUSAURUS_NO_PERSISTENT_CACHE: '1' })
    return site
  } catch (error) {
    if (subject.name === OURS) throw error
    problems.push(`${subject.name}: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}
