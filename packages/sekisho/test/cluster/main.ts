import { parseArgs } from 'node:util'
import { findMissing } from './cluster.ts'
import { runThroughput } from './throughput.ts'
import { runTrial } from './trial.ts'

/**
 * `npm run cluster [-- --seconds 75 --rate 60 --readers 24 --throughput]`: three gates behind HAProxy on one PostgreSQL, while all of
 * them fail in turn. Prints a table and what was wrong; with `--throughput` instead what a request costs with one to three gates.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '75' },
    rate: { type: 'string', default: '60' },
    readers: { type: 'string', default: '24' },
    throughput: { type: 'boolean', default: false },
  },
})
const missing = findMissing()
for (const sentence of missing) console.error(`✖ ${sentence}`)
if (missing.length > 0) process.exit(1)
const problems = values.throughput
  ? await runThroughput(Number(values.seconds))
  : await runTrial({
      seconds: Number(values.seconds),
      perSecond: Number(values.rate),
      readers: Number(values.readers),
    })
for (const problem of problems) console.log(`✖ ${problem}`)
process.exitCode = problems.length === 0 ? 0 : 1
