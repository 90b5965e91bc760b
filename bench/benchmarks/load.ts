import { launchBrowser } from '../browser/launch.ts'
import { type Conditions, type Load, measureLoad } from '../browser/measure-load.ts'
import { median, type Result, type Row } from '../report.ts'
import { type Benchmark, type Options, OURS } from './benchmark.ts'
import { closeStands, openStands } from './stands.ts'

/** Bytes of a page until it is hydrated, prefetching apart. */
export const weight: Benchmark = {
  name: 'weight',
  run: (options) =>
    runLoads(options, {
      name: `weight, ${options.size} pages`,
      about:
        'One documentation page with an empty cache: KB (1,000 bytes) of brotli until it is hydrated; prefetching apart.',
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
  const browser = await launchBrowser()
  const stands = await openStands(browser, options, problems)
  // In turn, so that a machine that is busy for a minute is busy for everybody. The first round warms the
  // servers' compression and is left out.
  for (let run = 0; run <= plan.runs; run += 1) {
    for (const { url, subject, signedIn, loads } of stands) {
      const { hydrated } = subject
      const load = await measureLoad(browser, url, { hydrated, conditions: plan.conditions, signedIn })
      if (run > 0) loads.push(load)
    }
  }
  await closeStands(browser, stands)
  for (const { subject, loads } of stands)
    problems.push(
      ...new Set(loads.flatMap((load) => load.problems.map((text) => `${subject.name}: ${text}`))),
    )
  const rows = stands.map(({ subject, loads }) => ({ subject: subject.name, values: plan.columns(loads) }))
  return { name: plan.name, about: plan.about, ours: OURS, rows, problems }
}

function kilo(loads: readonly Load[], key: 'htmlBytes' | 'cssBytes' | 'jsBytes'): number {
  return median(loads.map((load) => load[key])) / 1000
}
