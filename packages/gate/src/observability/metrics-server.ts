import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Metrics } from './metrics.ts'

/** The names of this machine; a page in a browser that rebinds another name to it is refused. */
const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

/** Serves metrics and health on a loopback port of their own, where no reader and no proxy comes. */
export function startMetricsServer(
  metrics: Metrics,
  isHealthy: () => boolean,
  port: number,
): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    response.statusCode = statusOf(request, isHealthy)
    response.end(bodyOf(request, response, metrics))
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve({ port: portOf(server), close: () => closeNow(server) }))
  })
}

function statusOf({ method, url, headers }: IncomingMessage, isHealthy: () => boolean): number {
  if (!LOOPBACK_HOST.test(headers.host ?? '')) return 403
  if (method !== 'GET' && method !== 'HEAD') return 405
  if (url === '/health') return isHealthy() ? 200 : 503
  return url === '/metrics' ? 200 : 404
}

function bodyOf({ method, url }: IncomingMessage, response: ServerResponse, metrics: Metrics): string {
  if (response.statusCode !== 200 || url !== '/metrics') return ''
  response.setHeader('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  return method === 'HEAD' ? '' : metrics.render()
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function closeNow(server: Server): void {
  server.close()
  server.closeAllConnections()
}
