import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { evaluate } from './evaluate.ts'
import { formatReport } from './report.ts'

const USAGE =
  'npm run -s search:eval -- --corpus FILE --queries FILE [--queries FILE …] [--rewrites FILE] [--json] [--cache DIR] [--failures]'

const { values } = parseArgs({
  options: {
    corpus: { type: 'string' },
    queries: { type: 'string', multiple: true },
    rewrites: { type: 'string' },
    cache: { type: 'string' },
    json: { type: 'boolean', default: false },
    failures: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(USAGE)
} else if (values.corpus === undefined || values.queries === undefined) {
  console.error(USAGE)
  process.exitCode = 2
} else {
  const folder = values.cache ?? mkdtempSync(join(tmpdir(), 'sekisho-search-'))
  try {
    const { corpus, queries, rewrites } = values
    const report = await evaluate({ corpus, queries, rewrites, folder })
    console.log(values.json ? JSON.stringify(report, null, 2) : formatReport(report, values.failures))
  } finally {
    if (values.cache === undefined) rmSync(folder, { recursive: true, force: true })
  }
}
