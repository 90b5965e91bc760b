/** Counters and gauges in the Prometheus text format; labels are ours, never taken from a request. */
export interface Metrics {
  observeRequest(status: number, durationMs: number): void
  countEvent(event: string): void
  render(): string
}

const BUCKETS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5] as const

export interface MetricsOptions {
  /** Read when rendered. */
  readonly gauges: Readonly<Record<string, () => number>>
}

export function createMetrics({ gauges }: MetricsOptions): Metrics {
  const requests = new Map<string, number>()
  const events = new Map<string, number>()
  const buckets = BUCKETS_SECONDS.map(() => 0)
  let totalSeconds = 0
  let totalCount = 0

  return {
    observeRequest(status, durationMs) {
      increment(requests, String(status))
      const seconds = durationMs / 1_000
      totalSeconds += seconds
      totalCount += 1
      const first = BUCKETS_SECONDS.findIndex((limit) => seconds <= limit)
      for (let index = first; index !== -1 && index < buckets.length; index += 1) {
        buckets[index] = (buckets[index] ?? 0) + 1
      }
    },
    countEvent: (event) => increment(events, event),
    render() {
      const lines = [
        ...family('sekisho_requests_total', 'counter', 'status', requests),
        ...family('sekisho_events_total', 'counter', 'event', events),
        '# TYPE sekisho_request_seconds histogram',
        ...BUCKETS_SECONDS.map(
          (limit, index) => `sekisho_request_seconds_bucket{le="${limit}"} ${buckets[index]}`,
        ),
        `sekisho_request_seconds_bucket{le="+Inf"} ${totalCount}`,
        `sekisho_request_seconds_sum ${totalSeconds}`,
        `sekisho_request_seconds_count ${totalCount}`,
        ...Object.entries(gauges).flatMap(([name, read]) => [`# TYPE ${name} gauge`, `${name} ${read()}`]),
      ]
      return `${lines.join('\n')}\n`
    },
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function family(name: string, type: string, label: string, counts: ReadonlyMap<string, number>): string[] {
  return [
    `# TYPE ${name} ${type}`,
    ...[...counts].map(([value, count]) => `${name}{${label}="${value}"} ${count}`),
  ]
}
