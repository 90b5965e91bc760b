import { describe, expect, it } from 'vitest'
import { ALL_OK } from '../../testing/health.ts'
import type { HealthReport } from './health.ts'
import type { Resources } from './measures/resources.ts'
import { createMetrics } from './metrics.ts'

const REPORT: HealthReport = {
  health: {
    status: 'failed',
    parts: { ...ALL_OK, audit: 'failed', log: 'degraded' },
  },
  audit: { state: 'closed', waiting: 10_000, lagMs: 2_500, held: 3, restored: 5 },
  auditFailures: 7,
  droppedLogLines: 12,
  sessions: 3,
  oldestProofMs: 240_000,
  release: { id: '20261122T000000Z-0a1b2c3d', ageSeconds: 3_600 },
}

const RESOURCES: Resources = {
  version: '1.2.3',
  eventLoop: { p99Ms: 4, maxMs: 250 },
  disk: { freeBytes: 5e9, bytes: 80e9 },
  usage: { trailBytes: 123_456, connections: { busy: 2, idle: 1, waiting: 7 } },
  storeAgeMs: 1_500,
}

function filled() {
  const metrics = createMetrics()
  metrics.observeStoreCall(0.4, false)
  metrics.observeStoreCall(300, true)
  metrics.observeRequest(200, 0.5)
  metrics.observeRequest(200, 30)
  metrics.observeRequest(401, 9_000)
  metrics.countEvent('signed_in')
  metrics.countRefused(431)
  metrics.countRefusal('sign_in_refused', 'not_admitted')
  metrics.countRefusal('sign_in_refused', 'not_admitted')
  metrics.countRefusal('publish_refused', 'what a "stranger" wrote')
  return metrics
}

describe('the metrics', () => {
  it('count requests by status, events by kind, and time in cumulative buckets', () => {
    const lines = filled().render(REPORT, RESOURCES).split('\n')
    for (const line of [
      'sekisho_http_requests_total{code="200"} 2',
      'sekisho_http_requests_total{code="401"} 1',
      'sekisho_events_total{event="signed_in"} 1',
      'sekisho_http_refused_total{code="431"} 1',
      'sekisho_refusals_total{event="sign_in_refused",reason="not_admitted"} 2',
      'sekisho_refusals_total{event="publish_refused",reason="other"} 1',
      `sekisho_build_info{version="1.2.3",node="${process.versions.node}"} 1`,
      'sekisho_event_loop_delay_p99_seconds 0.004',
      'sekisho_event_loop_delay_max_seconds 0.25',
      'sekisho_disk_free_bytes 5000000000',
      'sekisho_disk_size_bytes 80000000000',
      'sekisho_audit_trail_bytes 123456',
      'sekisho_database_connections{state="busy"} 2',
      'sekisho_database_connections{state="waiting"} 7',
      'sekisho_release_store_age_seconds 1.5',
      'sekisho_sessions 3',
      'sekisho_oldest_proof_seconds 240',
      'sekisho_part_state{part="audit"} 2',
      'sekisho_part_state{part="store"} 0',
      'sekisho_part_state{part="log"} 1',
      'sekisho_audit_waiting_lines 10000',
      'sekisho_audit_held_responses 3',
      'sekisho_audit_lag_seconds 2.5',
      'sekisho_audit_failures_total 7',
      'sekisho_log_dropped_lines_total 12',
      'sekisho_store_errors_total 1',
      'sekisho_store_call_duration_seconds_bucket{le="0.001"} 1',
      'sekisho_store_call_duration_seconds_count 2',
      'sekisho_release_info{id="20261122T000000Z-0a1b2c3d"} 1',
      'sekisho_release_age_seconds 3600',
      'sekisho_http_request_duration_seconds_bucket{le="0.001"} 1',
      'sekisho_http_request_duration_seconds_bucket{le="0.05"} 2',
      'sekisho_http_request_duration_seconds_bucket{le="2.5"} 2',
      'sekisho_http_request_duration_seconds_bucket{le="+Inf"} 3',
      'sekisho_http_request_duration_seconds_sum 9.0305',
      'sekisho_http_request_duration_seconds_count 3',
    ]) {
      expect(lines).toContain(line)
    }
  })

  it('are in the text format: help, type, then samples of that name only', () => {
    let name = ''
    for (const line of filled().render(REPORT, RESOURCES).trimEnd().split('\n')) {
      const [, keyword, declared] = /^# (HELP|TYPE) ([a-z0-9_]+) /.exec(line) ?? []
      if (keyword === 'HELP') name = declared ?? ''
      else if (keyword === 'TYPE')
        expect(line).toMatch(new RegExp(`^# TYPE ${name} (counter|gauge|histogram)$`))
      else
        expect(line).toMatch(
          new RegExp(
            `^${name}(?:_bucket|_sum|_count)?(?:\\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\\})? [-+.e0-9]+$`,
          ),
        )
      if (keyword === 'TYPE' && line.endsWith(' counter')) expect(name).toMatch(/_total$/)
    }
  })
})
