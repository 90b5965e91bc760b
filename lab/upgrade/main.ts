import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { SEKISHO } from '../../packages/sekisho/test/support/serving-gate.ts'
import { findMissing } from '../cluster/cluster.ts'
import { type Outcome, tableOf } from '../cluster/trials/outcome.ts'
import { upgradeCluster, upgradeFolder } from './upgrading.ts'

const USAGE = `Usage: npm run upgrade -- --previous DIR [--only sqlite|postgres] [--seconds 6]

Replaces a portal of the earlier version by this one and goes back, while people read: one gate with SQLite, and three gates on one
PostgreSQL, one after the other. Nobody is signed out, no line of the audit trail is lost, no answer is wrong.
DIR is an installation of the earlier version; its checkout makes one: npm run production -- DIR --omit=optional`

const { values } = parseArgs({
  options: {
    previous: { type: 'string' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '6' },
  },
})
const previous = resolve(values.previous ?? '', 'packages/sekisho/bin/sekisho.mjs')
const missing = existsSync(previous) ? findMissing() : [USAGE]
for (const sentence of missing) console.error(sentence)
if (missing.length > 0) process.exit(2)

const versions = { previous, next: SEKISHO, seconds: Number(values.seconds) }
const trials: Readonly<Record<string, () => Promise<Outcome>>> = {
  sqlite: () => upgradeFolder(versions),
  postgres: () => upgradeCluster(versions),
}
const problems: string[] = []
for (const [name, run] of Object.entries(trials)) {
  if (values.only !== undefined && values.only !== name) continue
  const outcome = await run()
  console.log(`\n${name}${tableOf(outcome.rows)}`)
  problems.push(...outcome.problems.map((problem) => `${name}: ${problem}`))
}
for (const problem of problems) console.log(`✖ ${problem}`)
process.exitCode = problems.length === 0 ? 0 : 1
