import type { Browser } from '@playwright/test'
import { launchBrowser } from '../browser/launch.ts'
import { type Conditions, type Load, measureLoad } from '../browser/measure-load.ts'
import { serveFolder } from '../browser/serve-folder.ts'
import { median, type Result, type Row } from '../report.ts'
import type { Site, Subject } from '../subjects/subject.ts'
import { type Benchmark, CURTAIN, ensureBuilt, type Options, OURS, pickSubjects } from './benchmark.ts'

/** Bytes of a page until it is hydrated, prefetching apart. */
export const weight: Benchmark = {
  name: 'weight',
  run: (options) =>
    runLoads(options, {
      name: `weight, ${options.size} pages`,
      about:
        'One documentation page with an empty cache: KB (1,000 bytes) of brotli until it is hydrated; prefetching apart.',
      more: [CURTAIN],
      conditions: 'plain',
      runs: 1,
      columns: (loads) => ({
        HTML: kilo(loads, 'htmlBytes'),
        CSS: kilo(loads, 'cssBytes'),
        JavaScript: kilo(loads, 'jsBytes'),
        'all three': kilo(loads, 'htmlBytes') + kilo(loads, 'cssBytes') + kilo(loads, 'jsBytes'),
        requests: median(loads.map(({ requests }) => requests)),
      }),
    }),
}

/** Times of a page load as fast as the machine can. */
export const plain: Benchmark = {
  name: 'load',
  run: (options) => runLoads(options, timesOf('plain', options)),
}

/** Times of a page load on a slow line and a slow processor. */
export const throttled: Benchmark = {
  name: 'throttled',
  run: (options) => runLoads(options, timesOf('throttled', options)),
}

interface Plan {
  name: string
  about: string
  conditions: Conditions
  runs: number
  more?: readonly Subject[]
  columns(loads: readonly Load[]): Row['values']
}

function timesOf(conditions: Conditions, { size, runs }: Options): Plan {
  const line = conditions === 'plain' ? 'No throttling.' : '1.6 Mbit/s, 150 ms, 4 × CPU.'
  return {
    name: `load ${conditions}, ${size} pages`,
    about: `${line} Empty cache, milliseconds, median of ${runs}.`,
    conditions,
    runs,
    columns: (loads) => ({
      'first contentful paint': median(loads.map(({ firstPaintMs }) => firstPaintMs)),
      'largest contentful paint': median(loads.map(({ largestPaintMs }) => largestPaintMs)),
      blocking: median(loads.map(({ blockingMs }) => blockingMs)),
      hydrated: median(loads.map(({ hydratedMs }) => hydratedMs)),
    }),
  }
}

async function runLoads(options: Options, plan: Plan): Promise<Result> {
  const problems: string[] = []
  const rows: Row[] = []
  const browser = await launchBrowser()
  for (const subject of pickSubjects(options, plan.more)) {
    const site = await ensureBuilt(subject, options, problems)
    if (site === null) continue
    const loads = await loadRepeatedly(browser, { subject, site, plan })
    rows.push({ subject: subject.name, values: plan.columns(loads) })
    problems.push(
      ...new Set(loads.flatMap((load) => load.problems.map((problem) => `${subject.name}: ${problem}`))),
    )
  }
  await browser.close()
  return { name: plan.name, about: plan.about, ours: OURS, rows, problems }
}

/** The first load warms the server's compression and is left out. */
async function loadRepeatedly(
  browser: Browser,
  { subject, site, plan }: { subject: Subject; site: Site; plan: Plan },
): Promise<Load[]> {
  const server = await serveFolder(site.outDir)
  // Behind the curtain nothing is hydrated for a visitor without an account; what he was sent is measured all the same.
  const hydrated = subject === CURTAIN ? "document.readyState === 'complete'" : subject.hydrated
  const loads: Load[] = []
  for (let run = 0; run <= plan.runs; run += 1) {
    const load = await measureLoad(browser, server.origin + encodeURI(site.page), {
      hydrated,
      conditions: plan.conditions,
    })
    if (run > 0) loads.push(load)
  }
  await server.close()
  return loads
}

function kilo(loads: readonly Load[], key: 'htmlBytes' | 'cssBytes' | 'jsBytes'): number {
  return median(loads.map((load) => load[key])) / 1000
}
