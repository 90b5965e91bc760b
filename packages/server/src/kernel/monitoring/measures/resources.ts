import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { StoreUsage } from '../../../state/stores/open-stores.ts'
import { type Family, gauge } from './family.ts'

/** Resource usage and reserves of a gate; null where currently unavailable. */
export interface Resources {
  readonly version: string
  /** Event loop delay since the last call. */
  readonly eventLoop: { readonly p99Ms: number; readonly maxMs: number }
  readonly disk: { readonly freeBytes: number; readonly bytes: number } | null
  readonly usage: StoreUsage
  /** Since the bucket or folder that is followed was last read; null without one. */
  readonly storeAgeMs: number | null
}

interface ResourceSources {
  readonly dataDir: string
  readonly usage: () => Promise<StoreUsage>
  readonly storeAgeMs: () => number | null
}

/** Resolution of the delay; a loop without delay shows zero. */
const RESOLUTION_MS = 10

/** Watches what the gate uses from now on; each reading tells of the time since the one before. */
export function watchResources({ dataDir, usage, storeAgeMs }: ResourceSources): Disposable & {
  read(): Promise<Resources>
} {
  const version = readVersion()
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  return {
    async read() {
      const eventLoop = readDelay(delay)
      const disk = await statfs(dataDir).then(
        ({ bavail, blocks, bsize }) => ({ freeBytes: bavail * bsize, bytes: blocks * bsize }),
        () => null,
      )
      return { version, eventLoop, disk, usage: await usage(), storeAgeMs: storeAgeMs() }
    },
    [Symbol.dispose]: () => void delay.disable(),
  }
}

/** The histogram holds whole intervals, in nanoseconds: what is beyond one is lateness. */
function readDelay(delay: ReturnType<typeof monitorEventLoopDelay>): Resources['eventLoop'] {
  const lateMs = (ns: number) => Math.max(0, ns / 1e6 - RESOLUTION_MS)
  const read = { p99Ms: lateMs(delay.percentile(99)), maxMs: lateMs(delay.count === 0 ? 0 : delay.max) }
  delay.reset()
  return read
}

/** Of the package that this module was installed with. */
function readVersion(): string {
  const file = findPackageJSON(import.meta.url)
  return file === undefined ? '' : String(JSON.parse(readFileSync(file, 'utf8')).version)
}

/** Resources as metrics. */
export function resourceFamilies({ version, eventLoop, disk, usage, storeAgeMs }: Resources): Family[] {
  const { connections, trailBytes } = usage
  return [
    {
      name: 'sekisho_build_info',
      help: 'The version of the software.',
      type: 'gauge',
      samples: [[`sekisho_build_info{version="${version}",node="${process.versions.node}"}`, 1]],
    },
    gauge(
      'sekisho_event_loop_delay_p99_seconds',
      'How late the event loop was in all but a hundredth of the time since the last reading.',
      eventLoop.p99Ms / 1_000,
    ),
    gauge(
      'sekisho_event_loop_delay_max_seconds',
      'How late the event loop was at most since the last reading.',
      eventLoop.maxMs / 1_000,
    ),
    ...some(disk, ({ freeBytes, bytes }) => [
      gauge('sekisho_disk_free_bytes', 'What is free on the disk of the data folder.', freeBytes),
      gauge('sekisho_disk_size_bytes', 'The size of that disk.', bytes),
    ]),
    ...some(trailBytes, (bytes) => [
      gauge('sekisho_audit_trail_bytes', 'The size of the audit trail, of all gates in a database.', bytes),
    ]),
    ...some(connections, (counts) => [
      {
        name: 'sekisho_database_connections',
        help: 'Connections of this gate to the database, and those who wait for one.',
        type: 'gauge' as const,
        samples: Object.entries(counts).map(
          ([state, count]) => [`sekisho_database_connections{state="${state}"}`, count] as const,
        ),
      },
    ]),
    ...some(storeAgeMs, (ageMs) => [
      gauge(
        'sekisho_release_store_age_seconds',
        'Time since the bucket or shared folder of releases was last read.',
        ageMs / 1_000,
      ),
    ]),
  ]
}

function some<T>(value: T | null, make: (value: T) => Family[]): Family[] {
  return value === null ? [] : make(value)
}
