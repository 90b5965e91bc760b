import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchmarks } from './benchmarks/index.ts'
import { type Result, toTable, writeJson } from './report.ts'
import { deleteSetAside } from './subjects/build-site.ts'
import { CACHE_DIR } from './subjects/subject.ts'

const HELP = `Usage: npm run bench -- [options]

  --only NAME    one of: ${benchmarks.map(({ name }) => name).join(', ')} (may be repeated)
  --size N       pages in the corpus (default 100; may be repeated)
  --subject TEXT only subjects whose name contains TEXT (ours always runs)
  --runs N       loads per median (default 5)
  --rebuild      build sites again that an earlier run has built
`

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    size: { type: 'string', multiple: true, default: ['100'] },
    subject: { type: 'string', default: '' },
    runs: { type: 'string', default: '5' },
    rebuild: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const known = new Set(benchmarks.map(({ name }) => name))
const unknown = (values.only ?? []).filter((name) => !known.has(name))
if (values.help || unknown.length > 0) {
  console.log(unknown.length > 0 ? `No benchmark is called ${unknown.join(', ')}.\n\n${HELP}` : HELP)
  process.exit(unknown.length > 0 ? 1 : 0)
}

const results: Result[] = []
for (const { name, run } of benchmarks) {
  if (values.only !== undefined && !values.only.includes(name)) continue
  for (const size of values.size.map(Number)) {
    const { rebuild, subject: filter } = values
    const result = await run({ size, runs: Number(values.runs), filter, rebuild })
    results.push(result)
    console.log(toTable(result))
    for (const problem of result.problems) console.log(`! ${problem}`)
  }
}
deleteSetAside()
const file = join(CACHE_DIR, `results-${new Date().toISOString().replace(/[:.]/g, '-')}.json`)
writeJson(file, results)
if (existsSync(file)) console.log(`Numbers: ${file}`)
