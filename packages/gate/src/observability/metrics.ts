/** Counters, gauges and one histogram in the Prometheus text format; labels are ours, never taken from a request. */
export interface Metrics {
  observeRequest(status: number, durationMs: number): void
  /** A request that was refused on the wire, before it was one. */
  countRefused(status: number): void
  countEvent(event: string): void
  render(): string
}

const BUCKETS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5] as const

export interface MetricsOptions {
  /** How many sessions live; asked when rendered. */
  readonly sessions: () => number
  /** Seconds since the account proven longest ago was proven; asked when rendered. */
  readonly oldestProofSeconds: () => number
}

/** One metric with its samples: `name{labels} value`, name and labels already formatted. */
interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly (readonly [sample: string, value: number])[]
}

export function createMetrics({ sessions, oldestProofSeconds }: MetricsOptions): Metrics {
  const requests = new Map<string, number>()
  const refused = new Map<string, number>()
  const events = new Map<string, number>()
  const duration = createHistogram('sekisho_http_request_duration_seconds')

  return {
    observeRequest(status, durationMs) {
      increment(requests, String(status))
      duration.observe(durationMs / 1_000)
    },
    countRefused: (status) => increment(refused, String(status)),
    countEvent: (event) => increment(events, event),
    render() {
      const families: Family[] = [
        {
          name: 'sekisho_http_requests_total',
          help: 'Requests answered, by status code.',
          type: 'counter',
          samples: labelled('sekisho_http_requests_total', 'code', requests),
        },
        {
          name: 'sekisho_http_refused_total',
          help: 'Requests refused on the wire as malformed, ambiguous, too large or too slow, by status code.',
          type: 'counter',
          samples: labelled('sekisho_http_refused_total', 'code', refused),
        },
        {
          name: duration.name,
          help: 'Time from a request being read to its answer being ready.',
          type: 'histogram',
          samples: duration.samples(),
        },
        {
          name: 'sekisho_events_total',
          help: 'Sign-ins, refusals, page reads and failures, by kind.',
          type: 'counter',
          samples: labelled('sekisho_events_total', 'event', events),
        },
        gauge('sekisho_sessions', 'Sessions that live.', sessions()),
        gauge(
          'sekisho_oldest_proof_seconds',
          'Age of the oldest proof that an account still exists; beyond the re-proof interval, proofs are late.',
          oldestProofSeconds(),
        ),
        ...processFamilies(),
      ]
      return families.map(format).join('')
    },
  }
}

function createHistogram(name: string) {
  const within = BUCKETS_SECONDS.map(() => 0) // each request once; added up when rendered, which is rare
  let sum = 0
  let count = 0
  return {
    name,
    observe(seconds: number): void {
      sum += seconds
      count += 1
      const index = BUCKETS_SECONDS.findIndex((limit) => seconds <= limit)
      if (index !== -1) within[index] = (within[index] ?? 0) + 1
    },
    samples(): Family['samples'] {
      let sofar = 0
      const buckets = BUCKETS_SECONDS.map((limit, index) => {
        sofar += within[index] ?? 0
        return [`${name}_bucket{le="${limit}"}`, sofar] as const
      })
      return [
        ...buckets,
        [`${name}_bucket{le="+Inf"}`, count],
        [`${name}_sum`, sum],
        [`${name}_count`, count],
      ]
    },
  }
}

/** The names every Prometheus client library uses for its process. */
function processFamilies(): Family[] {
  const { user, system } = process.cpuUsage()
  const seconds = (user + system) / 1e6
  const startedAtSeconds = performance.timeOrigin / 1_000
  return [
    {
      name: 'process_cpu_seconds_total',
      help: 'User and system CPU time spent.',
      type: 'counter',
      samples: [['process_cpu_seconds_total', seconds]],
    },
    gauge('process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss()),
    gauge('process_start_time_seconds', 'When the process started, in Unix time.', startedAtSeconds),
  ]
}

function gauge(name: string, help: string, value: number): Family {
  return { name, help, type: 'gauge', samples: [[name, value]] }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function labelled(name: string, label: string, counts: ReadonlyMap<string, number>): Family['samples'] {
  return [...counts].map(([value, count]) => [`${name}{${label}="${value}"}`, count])
}

function format({ name, help, type, samples }: Family): string {
  const lines = samples.map(([sample, value]) => `${sample} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}
