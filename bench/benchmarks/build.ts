import { appendFileSync } from 'node:fs'
import type { Row } from '../report.ts'
import { buildSite, forgetBuilds } from '../subjects/build-site.ts'
import type { Subject } from '../subjects/subject.ts'
import { type Benchmark, type Options, OURS, pickBuilds } from './benchmark.ts'

/** Time and memory of a cold build, and of a build after one edit with whatever cache the cold one left. */
export const build: Benchmark = {
  name: 'build',
  async run(options: Options) {
    const problems: string[] = []
    const rows: Row[] = []
    for (const subject of pickBuilds(options)) {
      try {
        rows.push(await measure(subject, options.size))
      } catch (error) {
        if (subject.name === OURS) throw error
        problems.push(`${subject.name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    const about =
      'A build from nothing, then one after a page was edited. Ours ends with a published release: search index and compression included.'
    return { name: `build, ${options.size} pages`, about, ours: OURS, rows, problems }
  },
}

async function measure(subject: Subject, size: number): Promise<Row> {
  const site = await subject.prepare(size)
  forgetBuilds(site)
  const cold = await buildSite(site)
  appendFileSync(site.source, '\n編集の計測のために加えた一文です。\n')
  const edited = await buildSite(site)
  const values = {
    'cold s': cold.seconds,
    'cold, processor s': cold.processorSeconds,
    'peak MB': Math.max(cold.peakMb, edited.peakMb),
    'peak MB, resident sizes added': Math.max(cold.peakResidentMb, edited.peakResidentMb),
    'after an edit s': edited.seconds,
    'after an edit, processor s': edited.processorSeconds,
    'edit / cold, processor %': (100 * edited.processorSeconds) / cold.processorSeconds,
  }
  return { subject: subject.name, values }
}
