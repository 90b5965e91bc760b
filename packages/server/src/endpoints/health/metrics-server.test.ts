import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { MetricsConfig } from '../../config/gate-config.ts'
import { readAddressBlocks } from '../../kernel/client/client-address.ts'
import type { HealthReport } from '../../kernel/monitoring/health.ts'
import type { Resources } from '../../kernel/monitoring/measures/resources.ts'
import { createMetrics } from '../../kernel/monitoring/metrics.ts'
import { ALL_OK } from '../../testing/health.ts'
import { startMetricsServer } from './metrics-server.ts'

const REPORT: HealthReport = {
  health: {
    status: 'failed',
    parts: { ...ALL_OK, audit: 'failed', log: 'degraded' },
  },
  audit: { state: 'closed', waiting: 0, lagMs: 0, held: 0, restored: 0 },
  ...{ auditFailures: 0, droppedLogLines: 0, sessions: 3, oldestProofMs: 0, release: null },
}

const RESOURCES: Resources = {
  version: '1.2.3',
  eventLoop: { p99Ms: 4, maxMs: 250 },
  ...{ disk: null, usage: { trailBytes: 0, connections: null }, storeAgeMs: null },
}

describe('the metrics port', () => {
  const LOOPBACK = { host: '127.0.0.1', port: 0, token: null, networks: null }
  const TOKEN = 'f'.repeat(32)
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

  async function askServer(
    config: MetricsConfig,
    options: { readonly method?: string; readonly path?: string; readonly headers: Record<string, string> },
  ) {
    const sources = { metrics: createMetrics(), report: async () => REPORT, resources: async () => RESOURCES }
    const server = await startMetricsServer(sources, config)
    const answer = await ask(server.port, { method: 'GET', path: '/metrics', ...options })
    server.close()
    return answer
  }

  it.each([
    ['the metrics', 'GET', '/metrics', 'localhost', 200],
    ['the metrics by address', 'GET', '/metrics', '127.0.0.1:9090', 200],
    ['the metrics by an address of IPv6', 'GET', '/metrics', '[::1]:9090', 200],
    ['the metrics by a name of a private network', 'GET', '/metrics', 'gate:9090', 200],
    ['health', 'GET', '/health', 'localhost', 503],
    ['anything else', 'GET', '/', 'localhost', 404],
    ['a write', 'POST', '/metrics', 'localhost', 405],
    ['77 a name bound to this machine by somebody else', 'GET', '/metrics', 'evil.example', 403],
  ])('answers %s', async (_row, method, target, host, status) => {
    const answer = await askServer(LOOPBACK, { method, path: target, headers: { host } })
    expect(answer.status).toBe(status)
    const hasMetrics = answer.body.includes('sekisho_sessions 3')
    expect(hasMetrics).toBe(target === '/metrics' && status === 200)
    if (target === '/health') expect(JSON.parse(answer.body)).toEqual(REPORT.health)
    else if (status !== 200) expect(answer.body).toBe('')
  })

  it.each([
    ['the token', bearer(TOKEN), 200],
    ['the token under any name', { ...bearer(TOKEN), host: 'gate.example.co.jp' }, 200],
    ['no token', {}, 401],
    ['another token', bearer('e'.repeat(32)), 401],
    ['the beginning of the token', bearer(TOKEN.slice(1)), 401],
    ['the token in another scheme', { authorization: `Basic ${TOKEN}` }, 401],
  ])('that wants a token answers %s', async (_row, headers, status) => {
    for (const path of ['/metrics', '/health']) {
      const answer = await askServer(
        { ...LOOPBACK, token: TOKEN },
        { path, headers: { host: 'localhost', ...headers } },
      )
      expect(answer.status).toBe(path === '/health' && status === 200 ? 503 : status)
      if (status !== 200) expect(answer.body).toBe('')
    }
  })

  it.each([
    ['127.0.0.0/8', null, {}, 200],
    ['192.0.2.0/24', null, {}, 403],
    ['192.0.2.0/24', TOKEN, bearer(TOKEN), 403],
    ['127.0.0.1/32', TOKEN, {}, 401],
    ['127.0.0.1/32', TOKEN, bearer(TOKEN), 200],
  ])('for %s, with the token %s, answers %j with %i', async (network, token, headers, status) => {
    const config = { ...LOOPBACK, token, networks: readAddressBlocks([network], []) }
    expect((await askServer(config, { headers: { host: 'localhost', ...headers } })).status).toBe(status)
  })
})

/** `fetch` would set the Host header itself. */
function ask(
  port: number,
  options: {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
  },
): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, ...options }, async (answer) => {
      resolve({ status: answer.statusCode, body: Buffer.concat(await answer.toArray()).toString() })
    })
    sent.once('error', reject).end()
  })
}
