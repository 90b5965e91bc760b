import { openIndex } from '../src/query/index.ts'

interface Task {
  readonly index: string
  readonly queries: readonly string[]
}

const MEGABYTE = 1024 * 1024
const WARM_UP = 20

process.once('message', (task: Task) => {
  const before = process.memoryUsage.rss()
  const openedAt = performance.now()
  const engine = openIndex(task.index)
  const loadMs = performance.now() - openedAt
  for (const q of task.queries.slice(0, WARM_UP)) engine.search({ q })
  const times: number[] = []
  const found = task.queries.map((q) => {
    const startedAt = performance.now()
    const { results } = engine.search({ q })
    times.push(performance.now() - startedAt)
    return results.map((result) => result.id)
  })
  const addedRssMb = (process.memoryUsage.rss() - before) / MEGABYTE
  times.sort((a, b) => a - b)
  const percentile = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  engine.close()
  process.send?.({
    found,
    loadMs,
    addedRssMb,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    maxMs: times.at(-1) ?? 0,
  })
})
