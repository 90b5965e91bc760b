import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { startMetricsServer } from '../doors/health/metrics-server.ts'
import type { HealthReport } from './health.ts'
import { createMetrics } from './metrics.ts'

const REPORT: HealthReport = {
  health: {
    status: 'failed',
    parts: { audit: 'failed', store: 'ok', log: 'degraded', release: 'ok', proofs: 'ok' },
  },
  audit: { state: 'closed', waiting: 10_000, lagMs: 2_500, held: 3 },
  auditFailures: 7,
  droppedLogLines: 12,
  sessions: 3,
  oldestProofMs: 240_000,
  release: { id: '20261122T000000Z-0a1b2c3d', ageSeconds: 3_600 },
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
  return metrics
}

describe('the metrics', () => {
  it('count requests by status, events by kind, and time in cumulative buckets', () => {
    const lines = filled().render(REPORT).split('\n')
    for (const line of [
      'sekisho_http_requests_total{code="200"} 2',
      'sekisho_http_requests_total{code="401"} 1',
      'sekisho_events_total{event="signed_in"} 1',
      'sekisho_http_refused_total{code="431"} 1',
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
    for (const line of filled().render(REPORT).trimEnd().split('\n')) {
      const [, keyword, declared] = /^# (HELP|TYPE) ([a-z_]+) /.exec(line) ?? []
      if (keyword === 'HELP') name = declared ?? ''
      else if (keyword === 'TYPE')
        expect(line).toMatch(new RegExp(`^# TYPE ${name} (counter|gauge|histogram)$`))
      else
        expect(line).toMatch(
          new RegExp(`^${name}(?:_bucket|_sum|_count)?(?:\\{[a-z]+="[^"]*"\\})? [-+.e0-9]+$`),
        )
      if (keyword === 'TYPE' && line.endsWith(' counter')) expect(name).toMatch(/_total$/)
    }
  })
})

describe('the metrics port', () => {
  it.each([
    ['the metrics', 'GET', '/metrics', 'localhost', 200],
    ['the metrics by address', 'GET', '/metrics', '127.0.0.1:9090', 200],
    ['health', 'GET', '/health', 'localhost', 503],
    ['anything else', 'GET', '/', 'localhost', 404],
    ['a write', 'POST', '/metrics', 'localhost', 405],
    ['77 a name bound to this machine by somebody else', 'GET', '/metrics', 'evil.example', 403],
  ])('answers %s', async (_row, method, target, host, status) => {
    const server = await startMetricsServer(filled(), async () => REPORT, 0)
    const answer = await ask(server.port, { method, path: target, headers: { host } })
    server.close()
    expect(answer.status).toBe(status)
    const hasMetrics = answer.body.includes('sekisho_sessions 3')
    expect(hasMetrics).toBe(target === '/metrics' && status === 200)
    if (target === '/health') expect(JSON.parse(answer.body)).toEqual(REPORT.health)
    else if (status !== 200) expect(answer.body).toBe('')
  })
})

/** `fetch` would set the Host header itself. */
function ask(
  port: number,
  options: { readonly method: string; readonly path: string; readonly headers: { readonly host: string } },
): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, ...options }, async (answer) => {
      resolve({ status: answer.statusCode, body: Buffer.concat(await answer.toArray()).toString() })
    })
    sent.once('error', reject).end()
  })
}
