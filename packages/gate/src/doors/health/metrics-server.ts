import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Health, HealthReport } from '../../observability/health.ts'
import type { Metrics } from '../../observability/metrics.ts'

/** The names of this machine; a page in a browser that rebinds another name to it is refused. */
const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

/** Serves metrics and health on a loopback port of their own, where no reader and no proxy comes. */
export function startMetricsServer(
  metrics: Metrics,
  read: () => Promise<HealthReport>,
  port: number,
): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    const answer = (report: HealthReport) => {
      response.statusCode = statusOf(request, report.health)
      response.end(bodyOf(request, response, metrics, report))
    }
    read()
      .then(answer)
      .catch(() => response.destroy()) // a fault of ours: whoever probes hears of it
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve({ port: portOf(server), close: () => closeNow(server) }))
  })
}

function statusOf({ method, url, headers }: IncomingMessage, { status }: Health): number {
  if (!LOOPBACK_HOST.test(headers.host ?? '')) return 403
  if (method !== 'GET' && method !== 'HEAD') return 405
  if (url === '/health') return status === 'failed' ? 503 : 200
  return url === '/metrics' ? 200 : 404
}

function bodyOf(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  metrics: Metrics,
  report: HealthReport,
): string {
  if (response.statusCode !== 200 && response.statusCode !== 503) return ''
  const isHealth = url === '/health'
  const type = isHealth ? 'application/json' : 'text/plain; version=0.0.4; charset=utf-8'
  response.setHeader('Content-Type', type)
  if (method === 'HEAD') return ''
  return isHealth ? JSON.stringify(report.health) : metrics.render(report)
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function closeNow(server: Server): void {
  server.close()
  server.closeAllConnections()
}
