import { parseArgs } from 'node:util'
import { findMissing } from './cluster.ts'
import { tableOf } from './outcome.ts'
import { runPublishing } from './publishing.ts'
import { runThroughput } from './throughput.ts'
import { runTrial } from './trial.ts'

/**
 * `npm run cluster [-- --seconds 75 --rate 60 --readers 24 --publishing --throughput]`: three gates behind HAProxy on one PostgreSQL, while
 * all of them fail in turn, and then, on a bucket, while releases are published through them. Prints a table and what was wrong. With
 * `--publishing` the second part alone; with `--throughput` instead what a request costs with one to three gates.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '75' },
    rate: { type: 'string', default: '60' },
    readers: { type: 'string', default: '24' },
    publishing: { type: 'boolean', default: false },
    throughput: { type: 'boolean', default: false },
  },
})
const missing = findMissing()
for (const sentence of missing) console.error(`✖ ${sentence}`)
if (missing.length > 0) process.exit(1)

async function runTrials(): Promise<readonly string[]> {
  const load = { perSecond: Number(values.rate), readers: Number(values.readers) }
  const failing = values.publishing ? null : await runTrial({ seconds: Number(values.seconds), ...load })
  const publishing = await runPublishing(load)
  console.log(tableOf([...(failing?.rows ?? []), ...publishing.rows]))
  return [...(failing?.problems ?? []), ...publishing.problems]
}

const problems = values.throughput ? await runThroughput(Number(values.seconds)) : await runTrials()
for (const problem of problems) console.log(`✖ ${problem}`)
process.exitCode = problems.length === 0 ? 0 : 1
