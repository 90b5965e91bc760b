import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { findMissing } from './cluster.ts'
import { findMissingForFailOver, runFailOver } from './trials/fail-over.ts'
import { runTrial } from './trials/failing.ts'
import { runGroups } from './trials/groups.ts'
import { type Outcome, tableOf } from './trials/outcome.ts'
import { findMissingForPooler, runPooler } from './trials/pooler.ts'
import { runPublishing } from './trials/publishing.ts'
import { runThroughput } from './trials/throughput.ts'

/**
 * Runs three gates behind HAProxy on one PostgreSQL: `npm run cluster [-- --seconds 75 --rate 60 --readers 24 --only NAME --throughput]`.
 * Prints a table and the faults. CONTRIBUTING lists the trials; `--throughput` measures the cost of a request with one to three gates
 * instead.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '75' },
    rate: { type: 'string', default: '60' },
    readers: { type: 'string', default: '24' },
    only: { type: 'string' },
    throughput: { type: 'boolean', default: false },
  },
})
const missing = [...findMissing(), ...findMissingForFailOver(), ...findMissingForPooler()]
for (const sentence of missing) console.error(`✖ ${sentence}`)
if (missing.length > 0) process.exit(1)

async function runTrials(): Promise<readonly string[]> {
  const load = { perSecond: Number(values.rate), readers: Number(values.readers) }
  const trials = {
    failing: () => runTrial({ seconds: Number(values.seconds), ...load }),
    'fail-over': () => runFailOver(load),
    groups: () => runGroups(),
    pooler: () => runPooler(load),
    publishing: () => runPublishing(load),
  }
  const outcomes: Outcome[] = []
  for (const [name, run] of Object.entries(trials)) {
    if (values.only !== undefined && values.only !== name) continue
    console.log(
      `\n${name}: ${new Date().toISOString()}, load ${loadavg()
        .map((one) => one.toFixed(1))
        .join(' ')}`,
    )
    outcomes.push(await run())
  }
  console.log(tableOf(outcomes.flatMap(({ rows }) => rows)))
  return outcomes.flatMap(({ problems }) => problems)
}

const problems = values.throughput ? await runThroughput(Number(values.seconds)) : await runTrials()
for (const problem of problems) console.log(`✖ ${problem}`)
process.exitCode = problems.length === 0 ? 0 : 1
