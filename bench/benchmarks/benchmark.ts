import { existsSync } from 'node:fs'
import type { Result } from '../report.ts'
import { buildSite } from '../subjects/build-site.ts'
import { createCurtainSubject, createDocusaurusSubject } from '../subjects/docusaurus.ts'
import { rspress } from '../subjects/rspress.ts'
import { starlight } from '../subjects/starlight.ts'
import type { Site, Subject } from '../subjects/subject.ts'
import { vitepress, vitepressNext } from '../subjects/vitepress.ts'

/** What the command line asks of a benchmark. */
export interface Options {
  size: number
  runs: number
  filter: string
  rebuild: boolean
  /** Pages and labelled queries for the search, in the formats of `search:eval`; the portal's own without. */
  corpus?: string | undefined
  queries?: string | undefined
}

/** A named measurement over several subjects. */
export interface Benchmark {
  name: string
  run(options: Options): Promise<Result>
}

/** The row every ratio compares with. */
export const OURS = 'Sekisho'

const SUBJECTS: readonly Subject[] = [
  createDocusaurusSubject(OURS, 'sekisho'),
  createDocusaurusSubject('Docusaurus 3.10, no gate', 'stock'),
  createCurtainSubject('Docusaurus 3.10 behind client-side Firebase'),
  rspress,
  vitepress,
  vitepressNext,
  starlight,
]

/** Subjects of this run, in turn: ours first. */
export function pickSubjects({ filter }: Options): Subject[] {
  return SUBJECTS.filter(({ name }) => name === OURS || name.toLowerCase().includes(filter.toLowerCase()))
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
