import { appendFileSync } from 'node:fs'
import { median, type Row } from '../report.ts'
import { buildSite, forgetBuilds } from '../subjects/build-site.ts'
import type { Subject } from '../subjects/subject.ts'
import { type Benchmark, type Options, OURS, pickBuilds } from './benchmark.ts'

/** A build takes minutes, so there are fewer rounds than loads of a page. */
const MAX_ROUNDS = 3

/** Time and memory of a cold build, and of a build after one edit with whatever cache the cold one left. */
export const build: Benchmark = {
  name: 'build',
  async run(options: Options) {
    const problems: string[] = []
    const rounds = Math.min(options.runs, MAX_ROUNDS)
    const subjects = new Map(pickBuilds(options).map((subject) => [subject, [] as Figures[]]))
    for (let round = 0; round < rounds; round += 1) {
      for (const [subject, figures] of subjects) {
        try {
          figures.push(await measure(subject, options.size))
        } catch (error) {
          if (subject.name === OURS) throw error
          problems.push(`${subject.name}: ${error instanceof Error ? error.message : String(error)}`)
          subjects.delete(subject)
        }
      }
    }
    const about =
      `Medians of ${rounds} rounds: a build from nothing, then one after a page was edited. ` +
      'Ours ends with a published release: search index and compression included.'
    const rows = [...subjects].map(
      ([{ name }, figures]): Row => ({ subject: name, values: medians(figures) }),
    )
    return { name: `build, ${options.size} pages`, about, ours: OURS, rows, problems }
  },
}

type Figures = Readonly<Record<string, number>>

async function measure(subject: Subject, size: number): Promise<Figures> {
  const site = await subject.prepare(size)
  forgetBuilds(site)
  const cold = await buildSite(site)
  appendFileSync(site.source, '\n編集の計測のために加えた一文です。\n')
  const edited = await buildSite(site)
  return {
    'cold s': cold.seconds,
    'cold, processor s': cold.processorSeconds,
    'peak MB': Math.max(cold.peakMb, edited.peakMb),
    'peak MB, resident sizes added': Math.max(cold.peakResidentMb, edited.peakResidentMb),
    'after an edit s': edited.seconds,
    'after an edit, processor s': edited.processorSeconds,
    'edit / cold, processor %': (100 * edited.processorSeconds) / cold.processorSeconds,
  }
}

/** Each figure's own median over the rounds. */
function medians(rounds: readonly Figures[]): Record<string, number> {
  const names = Object.keys(rounds[0] ?? {})
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((figures) => figures[name] ?? 0))]))
}
