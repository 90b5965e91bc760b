import { appendFileSync } from 'node:fs'
import type { Row } from '../report.ts'
import { buildSite } from '../subjects/build-site.ts'
import { type Benchmark, type Options, OURS, pickSubjects } from './benchmark.ts'

/** Time and memory of a cold build, and time of a build after one edit with whatever cache the subject has. */
export const build: Benchmark = {
  name: 'build',
  async run(options: Options) {
    const problems: string[] = []
    const rows: Row[] = []
    for (const subject of pickSubjects(options)) {
      try {
        const site = await subject.prepare(options.size)
        const cold = await buildSite(site, { DOCUSAURUS_NO_PERSISTENT_CACHE: '1' })
        await buildSite(site)
        appendFileSync(site.source, '\n編集の計測のために加えた一文です。\n')
        const edited = await buildSite(site)
        rows.push({
          subject: subject.name,
          values: { 'cold s': cold.seconds, 'peak MB': cold.peakMb, 'after an edit s': edited.seconds },
        })
      } catch (error) {
        if (subject.name === OURS) throw error
        problems.push(`${subject.name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    const about =
      'A build from nothing, and one after one page was edited with the cache of the build before it.'
    return { name: `build, ${options.size} pages`, about, ours: OURS, rows, problems }
  },
}
