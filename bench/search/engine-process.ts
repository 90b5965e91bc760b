import { mkdirSync, rmSync } from 'node:fs'
import { readCorpus } from '@sekisho/search/eval'
import type { SearchEngineSubject } from './engine.ts'
import { engines } from './engines/index.ts'
import type { Built, EngineTask, Served } from './run-engine.ts'

const MEGABYTE = 1024 * 1024
const WARM_UP = 20

async function build({
  engine,
  corpus,
  folder,
}: {
  engine: SearchEngineSubject
  corpus: string
  folder: string
}) {
  const pages = await readCorpus(corpus)
  for (const path of [folder, `${folder}-cache`]) rmSync(path, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const startedMs = performance.now()
  await engine.build(pages, folder)
  return { buildMs: performance.now() - startedMs } satisfies Built
}

async function serve(
  engine: SearchEngineSubject,
  folder: string,
  queries: readonly string[],
): Promise<Served> {
  const before = process.memoryUsage.rss()
  const openedMs = performance.now()
  const find = await engine.open(folder)
  const loadMs = performance.now() - openedMs
  for (const q of queries.slice(0, WARM_UP)) await find(q)
  const times: number[] = []
  const cpuTimes: number[] = []
  const found: (readonly string[])[] = []
  for (const q of queries) {
    const used = process.cpuUsage()
    const startedMs = performance.now()
    found.push(await find(q))
    times.push(performance.now() - startedMs)
    const { user, system } = process.cpuUsage(used)
    cpuTimes.push((user + system) / 1_000)
  }
  return { found, loadMs, times, cpuTimes, addedMb: (process.memoryUsage.rss() - before) / MEGABYTE }
}

process.once('message', async (task: EngineTask) => {
  const engine = engines.find(({ name }) => name === task.engine)
  if (engine === undefined) throw new Error(`No engine is called ${task.engine}`)
  const { corpus, folder, queries } = task
  const answer =
    queries === null ? await build({ engine, corpus, folder }) : await serve(engine, folder, queries)
  // Ending before the message is away loses it when it is large.
  process.send?.(answer, () => process.disconnect?.())
})
