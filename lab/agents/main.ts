import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { releasesDirOf } from '@sekisho/release'
import { packMarkdown } from './markdown-site.ts'
import { runTasks, type Task, type TaskResult } from './run-tasks.ts'

const USAGE =
  'npm run agents:tasks -- --handbook DATA-DIR [--foreign vite=FOLDER] [--foreign hono=FOLDER/docs]\n\nDATA-DIR holds a built release of the portal (.sekisho); each FOLDER is a checkout of vitejs/docs-ja or honojs/website.'

const { values } = parseArgs({
  options: { handbook: { type: 'string' }, foreign: { type: 'string', multiple: true, default: [] } },
})
const { tasks }: { tasks: readonly Task[] } = JSON.parse(
  readFileSync(new URL('./tasks.json', import.meta.url), 'utf8'),
)

if (values.handbook === undefined && values.foreign.length === 0) {
  console.error(USAGE)
  process.exitCode = 2
} else {
  const results: TaskResult[] = []
  if (values.handbook !== undefined)
    results.push(...(await runSite('handbook', releasesDirOf(values.handbook))))
  for (const named of values.foreign) {
    const [site = '', folder = ''] = named.split('=')
    const work = mkdtempSync(join(tmpdir(), 'sekisho-tasks-'))
    try {
      results.push(...(await runSite(site, await packMarkdown(folder, work))))
    } finally {
      rmSync(work, { recursive: true })
    }
  }
  report(results)
}

async function runSite(site: string, releasesDir: string): Promise<readonly TaskResult[]> {
  return runTasks(
    releasesDir,
    tasks.filter((task) => task.site === site),
  )
}

function report(results: readonly TaskResult[]): void {
  for (const { id, place, calls, tokens } of results)
    console.log(`${id.padEnd(12)} place ${place || '-'}  calls ${calls ?? '-'}  tokens ${tokens}`)
  const share = (count: number) => `${count}/${results.length} = ${(count / results.length).toFixed(3)}`
  const times = (tool: 'search' | 'fetch') => results.flatMap((one) => one.times[tool])
  console.log(
    `\nS@5 of the first search   ${share(results.filter(({ place }) => place >= 1 && place <= 5).length)}`,
  )
  console.log(`all facts read            ${share(results.filter(({ calls }) => calls !== null).length)}`)
  console.log(
    `calls, median             ${median(results.map(({ calls }) => calls ?? Number.POSITIVE_INFINITY))}`,
  )
  console.log(`tokens, median            ${median(results.map(({ tokens }) => tokens))}`)
  for (const tool of ['search', 'fetch'] as const)
    console.log(`${tool}, median ms of a call  ${median(times(tool)).toFixed(1)}`)
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
