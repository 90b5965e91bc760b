import { createServer, type Server } from 'node:http'
import type { Metrics } from './metrics.ts'

/** Serves metrics and health on a loopback port of their own, where no reader and no proxy comes. */
export function startMetricsServer(
  metrics: Metrics,
  isHealthy: () => boolean,
  port: number,
): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    if (request.url === '/metrics') {
      response.setHeader('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
      return void response.end(metrics.render())
    }
    response.statusCode = request.url === '/health' ? (isHealthy() ? 200 : 503) : 404
    response.end()
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve({ port: portOf(server), close: () => closeNow(server) }))
  })
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function closeNow(server: Server): void {
  server.close()
  server.closeAllConnections()
}
