import { join } from 'node:path'
import { measureMemory } from '../gate/memory.ts'
import { type Comparison, measureThroughput, type Throughput } from '../gate/throughput.ts'
import type { Row } from '../report.ts'
import { type Benchmark, type Options, OURS } from './benchmark.ts'

const CACHE = join(import.meta.dirname, '..', '.cache', 'gate')

const MIXED = ', mixed'

/** Signed-in pages from the gate, from nginx without a gate, and from nginx behind `auth_request`; memory of the gate. */
export const gate: Benchmark = {
  name: 'gate',
  async run({ size, runs }: Options) {
    const problems: string[] = []
    const throughput = await measureThroughput({ cacheDir: CACHE, pages: size, rounds: runs })
    if (throughput === null) problems.push('nginx or wrk is not installed: no peer to compare with')
    const memory = await measureMemory({ cacheDir: CACHE, pages: size })
    const ours: Row = {
      subject: OURS,
      values: {
        'start ms': memory.startedMs,
        'start CPU ms': memory.startProcessorMs,
        'start MB': memory.residentAtStartMb,
        'peak MB': memory.residentPeakMb,
      },
    }
    const rows = [ours]
    if (throughput !== null) {
      ours.values['p99 ms beside hostile clients'] = throughput.hostile.p99Ms
      const [one = ours, ...peers] = rowsOf(throughput.onePage, '')
      Object.assign(ours.values, one.values)
      rows.push(...peers, ...rowsOf(throughput.mixed, MIXED))
    }
    const about =
      'Over kept-alive connections, all servers in turn on one core: one reader and one page of 10 KB; ' +
      'mixed: many readers and pages over shared connections.'
    return { name: `gate, ${size} pages`, about, ours: OURS, rows, problems }
  },
}

function rowsOf({ gate, nginx, authRequest }: Comparison, load: string): Row[] {
  return [
    { subject: OURS + load, values: columnsOf(gate) },
    { subject: `nginx, no gate${load}`, values: columnsOf(nginx) },
    { subject: `nginx auth_request${load}`, values: columnsOf(authRequest) },
  ]
}

function columnsOf({ perSecond, perProcessorSecond, p99Ms }: Throughput): Row['values'] {
  return { 'requests/s': perSecond, 'requests/CPU s': perProcessorSecond, 'p99 ms': p99Ms }
}
