import { SIGN_IN_FAILURES, type SignInFailureCause } from '@sekisho/contract/sign-in-problem'
import type { HealthReport, PartState } from './health.ts'
import { counter, counters, type Family, formatFamily, gauge, increment } from './measures/family.ts'
import { type Resources, resourceFamilies } from './measures/resources.ts'

/** Counters, gauges and one histogram in the Prometheus text format; labels are ours, never taken from a request. */
export interface Metrics {
  observeRequest(status: number, durationMs: number): void
  /** A request that was refused on the wire, before it was one. */
  countRefused(status: number): void
  countEvent(event: string): void
  /** A refusal that the trail has, each of them, also where its lines are summed up. */
  countRefusal(event: string, reason: string): void
  /** A sign-in that failed without a word on the account. */
  countSignInFailure(cause: SignInFailureCause): void
  /** A finished call of the session store. */
  observeStoreCall(durationMs: number, isError: boolean): void
  /** Everything, with what the parts of the gate say of themselves now. */
  render(report: HealthReport, resources: Resources): string
}

/** Reasons are codes of ours; nothing else becomes a label. */
const REASON = /^[a-z_]{1,40}$/
const BUCKETS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5] as const

export function createMetrics(): Metrics {
  const requests = new Map<string, number>()
  const refused = new Map<string, number>()
  // An alert on an increase hears nothing of a series whose first value is not zero.
  const events = new Map<string, number>([
    ['identity_unavailable', 0],
    ['lines_missing', 0],
  ])
  const signInFailures = new Map<string, number>(SIGN_IN_FAILURES.map((cause) => [cause, 0]))
  const refusals = new Map<string, number>()
  const duration = createHistogram()
  const storeDuration = createHistogram()
  let storeErrors = 0

  return {
    observeRequest(status, durationMs) {
      increment(requests, String(status))
      duration.observe(durationMs / 1_000)
    },
    countRefused: (status) => increment(refused, String(status)),
    countEvent: (event) => increment(events, event),
    countRefusal: (event, reason) =>
      increment(refusals, `event="${event}",reason="${REASON.test(reason) ? reason : 'other'}"`),
    countSignInFailure: (cause) => increment(signInFailures, cause),
    observeStoreCall(durationMs, isError) {
      storeDuration.observe(durationMs / 1_000)
      if (isError) storeErrors += 1
    },
    render: (report, resources) =>
      [
        counters('sekisho_http_requests_total', 'Requests answered, by status code.', 'code', requests),
        counters(
          'sekisho_http_refused_total',
          'Requests refused on the wire as malformed, ambiguous, too large or too slow, by status code.',
          'code',
          refused,
        ),
        duration.family(
          'sekisho_http_request_duration_seconds',
          'Time from a request being read to its answer being ready.',
        ),
        counters('sekisho_events_total', 'Lines of the audit trail, and failures, by kind.', 'event', events),
        {
          name: 'sekisho_refusals_total',
          help: 'Refusals to sign in and to publish, by reason.',
          type: 'counter',
          samples: [...refusals].map(([labels, count]) => [`sekisho_refusals_total{${labels}}`, count]),
        } satisfies Family,
        counters(
          'sekisho_sign_in_failures_total',
          'Sign-ins that failed without a word of the provider on the account, by cause.',
          'cause',
          signInFailures,
        ),
        storeDuration.family(
          'sekisho_store_call_duration_seconds',
          'Time that a call of the session store took.',
        ),
        counter('sekisho_store_errors_total', 'Calls of the session store that failed.', storeErrors),
        ...partFamilies(report),
        ...releaseFamilies(report),
        ...resourceFamilies(resources),
        ...processFamilies(),
      ]
        .map(formatFamily)
        .join(''),
  }
}

function createHistogram() {
  const within = BUCKETS_SECONDS.map(() => 0) // each request once; added up when rendered, which is rare
  let sum = 0
  let count = 0
  return {
    observe(seconds: number): void {
      sum += seconds
      count += 1
      const index = BUCKETS_SECONDS.findIndex((limit) => seconds <= limit)
      if (index !== -1) within[index] = (within[index] ?? 0) + 1
    },
    family(name: string, help: string): Family {
      let sofar = 0
      const buckets = BUCKETS_SECONDS.map((limit, index) => {
        sofar += within[index] ?? 0
        return [`${name}_bucket{le="${limit}"}`, sofar] as const
      })
      const whole = [
        [`${name}_bucket{le="+Inf"}`, count],
        [`${name}_sum`, sum],
        [`${name}_count`, count],
      ] as const
      return { name, help, type: 'histogram', samples: [...buckets, ...whole] }
    },
  }
}

const STATE_VALUES: Readonly<Record<PartState, number>> = { ok: 0, degraded: 1, failed: 2 }

function partFamilies(report: HealthReport): Family[] {
  const { health, audit, auditFailures, droppedLogLines, sessions, oldestProofMs } = report
  const states = Object.entries(health.parts).map(
    ([part, state]) => [`sekisho_part_state{part="${part}"}`, STATE_VALUES[state]] as const,
  )
  return [
    gauge('sekisho_sessions', 'Sessions that live.', sessions),
    gauge(
      'sekisho_oldest_proof_seconds',
      'Age of the oldest proof that an account still exists; beyond the revalidation interval, proofs are late.',
      oldestProofMs / 1_000,
    ),
    {
      name: 'sekisho_part_state',
      help: 'How each part fares: 0 ok, 1 degraded, 2 failed.',
      type: 'gauge',
      samples: states,
    },
    gauge('sekisho_audit_waiting_lines', 'Lines of the audit trail that are not on disk yet.', audit.waiting),
    gauge(
      'sekisho_audit_held_responses',
      'Responses that wait for their line of the audit trail.',
      audit.held,
    ),
    gauge(
      'sekisho_audit_lag_seconds',
      'Age of the oldest line that is not on disk yet.',
      audit.lagMs / 1_000,
    ),
    counter(
      'sekisho_audit_failures_total',
      'How often writing the audit trail began to fail.',
      auditFailures,
    ),
    counter(
      'sekisho_audit_restored_lines_total',
      'Lines of the audit trail that the database lost, and that were written again.',
      audit.restored,
    ),
    counter(
      'sekisho_log_dropped_lines_total',
      'Lines of the log that could not be written.',
      droppedLogLines,
    ),
  ]
}

function releaseFamilies({ release }: HealthReport): Family[] {
  if (release === null) return []
  const sample = [`sekisho_release_info{id="${release.id}"}`, 1] as const
  const age = 'Time since the release being served was packed.'
  return [
    { name: 'sekisho_release_info', help: 'The release being served.', type: 'gauge', samples: [sample] },
    gauge('sekisho_release_age_seconds', age, release.ageSeconds),
  ]
}

/** The names every Prometheus client library uses for its process. */
function processFamilies(): Family[] {
  const { user, system } = process.cpuUsage()
  const seconds = (user + system) / 1e6
  const startedAtSeconds = performance.timeOrigin / 1_000
  return [
    counter('process_cpu_seconds_total', 'User and system CPU time spent.', seconds),
    gauge('process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss()),
    gauge('process_start_time_seconds', 'When the process started, in Unix time.', startedAtSeconds),
  ]
}
