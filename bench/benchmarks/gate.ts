import { join } from 'node:path'
import { measureMemory } from '../gate/memory.ts'
import { measureThroughput, type Throughput } from '../gate/throughput.ts'
import type { Row } from '../report.ts'
import { type Benchmark, type Options, OURS } from './benchmark.ts'

const CACHE = join(import.meta.dirname, '..', '.cache', 'gate')

/** A signed-in page from the gate, from nginx without a gate, and from nginx behind `auth_request`; memory of the gate. */
export const gate: Benchmark = {
  name: 'gate',
  async run({ size, runs }: Options) {
    const problems: string[] = []
    const throughput = await measureThroughput({ cacheDir: CACHE, pages: size, rounds: runs })
    if (throughput === null) problems.push('nginx or wrk is not installed: no peer to compare with')
    const memory = await measureMemory({ cacheDir: CACHE, pages: size })
    const ours: Row = {
      subject: OURS,
      values: { 'start ms': memory.startedMs, 'peak MB': memory.residentPeakMb },
    }
    const rows = [ours]
    if (throughput !== null) {
      Object.assign(ours.values, columnsOf(throughput.gate))
      rows.push({ subject: 'nginx, no gate', values: columnsOf(throughput.nginx) })
      rows.push({ subject: 'nginx auth_request', values: columnsOf(throughput.authRequest) })
    }
    const about = 'One 10 KB page over kept-alive connections, all servers in turn on one core.'
    return { name: `gate, ${size} pages`, about, ours: OURS, rows, problems }
  },
}

function columnsOf({ perSecond, perProcessorSecond, p99Ms }: Throughput): Row['values'] {
  return { 'requests/s': perSecond, 'requests/CPU s': perProcessorSecond, 'p99 ms': p99Ms }
}
