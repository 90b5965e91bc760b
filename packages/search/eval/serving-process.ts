import { openIndex } from '../src/query/index.ts'

interface Task {
  readonly index: string
  readonly queries: readonly string[]
}

const MEGABYTE = 1024 * 1024
/** As the gate does after opening an index: searches for titles of the site, none of which are measured. */
const WARM_UP = 40

process.once('message', (task: Task) => {
  const before = process.memoryUsage.rss()
  const openedAt = performance.now()
  const engine = openIndex(task.index)
  const loadMs = performance.now() - openedAt
  for (const q of engine.examples(WARM_UP)) engine.search({ q })
  const times: number[] = []
  const processorTimes: number[] = []
  const shown = { sections: 0, unmarkedSections: 0, results: 0, unmarkedResults: 0 }
  const found = task.queries.map((q) => {
    const used = process.cpuUsage()
    const startedAt = performance.now()
    const { results } = engine.search({ q })
    times.push(performance.now() - startedAt)
    const { user, system } = process.cpuUsage(used)
    processorTimes.push((user + system) / 1_000)
    for (const { titleMarks, sections } of results) {
      const marks = sections.map(({ headingMarks, snippet }) => headingMarks.length + snippet.marks.length)
      shown.results += 1
      shown.sections += marks.length
      shown.unmarkedSections += marks.filter((count) => count === 0).length
      if (titleMarks.length === 0 && marks.every((count) => count === 0)) shown.unmarkedResults += 1
    }
    return results.map((result) => result.id)
  })
  const addedRssMb = (process.memoryUsage.rss() - before) / MEGABYTE
  engine.close()
  process.send?.({
    found,
    shown,
    loadMs,
    addedRssMb,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    maxMs: Math.max(...times),
    p50CpuMs: percentile(processorTimes, 0.5),
    p99CpuMs: percentile(processorTimes, 0.99),
  })
})

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
