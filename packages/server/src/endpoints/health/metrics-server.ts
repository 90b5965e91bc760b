import { hash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import type { MetricsConfig } from '../../config/gate-config.ts'
import { isTrustedPeer } from '../../kernel/client/client-address.ts'
import type { Health, HealthReport } from '../../kernel/monitoring/health.ts'
import type { Resources } from '../../kernel/monitoring/measures/resources.ts'
import type { Metrics } from '../../kernel/monitoring/metrics.ts'

interface MetricsSources {
  readonly metrics: Pick<Metrics, 'render'>
  readonly report: () => Promise<HealthReport>
  readonly resources: () => Promise<Resources>
}

/** Serves metrics and health at an address of their own, where no reader and no proxy comes. */
export function startMetricsServer(
  sources: MetricsSources,
  config: MetricsConfig,
): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    const refusal = refusalOf(request, config)
    if (refusal !== null) {
      if (refusal === 401) response.setHeader('WWW-Authenticate', 'Bearer')
      response.writeHead(refusal).end()
      return
    }
    answer(request, response, sources).catch(() => response.destroy()) // a fault of ours: whoever probes hears of it
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    const { host, port } = config
    server.listen(port, host, () => resolve({ port: portOf(server), close: () => closeNow(server) }))
  })
}

/** Status of a refused request; every configured condition must hold. */
function refusalOf(
  { headers, socket }: IncomingMessage,
  { token, networks }: MetricsConfig,
): 401 | 403 | null {
  const peer = socket.remoteAddress ?? ''
  if (networks !== null && !isTrustedPeer(peer, networks)) return 403
  if (token !== null) return isSame(headers.authorization ?? '', `Bearer ${token}`) ? null : 401
  return isNoOthersName(headers.host ?? '') ? null : 403
}

/** Digests are as long as each other, so that comparing them takes as long whatever was sent. */
function isSame(sent: string, wanted: string): boolean {
  const [one, other] = [sent, wanted].map((text) => hash('sha256', text, 'buffer'))
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}

/**
 * An address, or a name without dots, which no other host can claim: against DNS rebinding by a page in the network. A scraper with another
 * name shows a token.
 */
function isNoOthersName(host: string): boolean {
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/.exec(host) ?? []
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || /^[a-z0-9-]+$/i.test(name)
}

async function answer(request: IncomingMessage, response: ServerResponse, sources: MetricsSources) {
  const { method, url } = request
  if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405).end()
  if (url !== '/health' && url !== '/metrics') return void response.writeHead(404).end()
  const report = await sources.report()
  const [status, type, body] =
    url === '/health'
      ? [statusOf(report.health), 'application/json', JSON.stringify(report.health)]
      : [200, TEXT_FORMAT, sources.metrics.render(report, await sources.resources())]
  response.writeHead(status, { 'Content-Type': type }).end(method === 'HEAD' ? '' : body)
}

const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8'

const statusOf = ({ status }: Health): number => (status === 'failed' ? 503 : 200)

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function closeNow(server: Server): void {
  server.close()
  server.closeAllConnections()
}
