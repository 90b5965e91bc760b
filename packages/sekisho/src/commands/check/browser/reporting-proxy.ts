import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'

/** Something that the content policy kept from a page while it ran. */
export interface Violation {
  /** The path of the page, as it was asked for. */
  readonly page: string
  /** As in `script-src-elem`. */
  readonly directive: string
  /** An address, or a word of the standard: `inline`, `eval`, `data`, `blob` (CSP 3, 5.2). */
  readonly blocked: string
}

interface ReportingProxyOptions {
  /** The gate: where it listens, what it is called, and the Cookie header of a reader. */
  readonly url: URL
  readonly host: string
  readonly cookie: string
  readonly onViolation: (violation: Violation) => void
}

/** No route of the gate has such a name; a browser posts there what it refuses. */
const REPORTS = '/__sekisho-refused'

/** Stands before a gate as a signed-in reader's browser would meet it, and asks that browser to report what the content policy refuses. */
export async function startReportingProxy(
  options: ReportingProxyOptions,
): Promise<AsyncDisposable & { readonly url: URL }> {
  const server = createServer((incoming, response) => {
    if (incoming.url === REPORTS) void takeReport(incoming, response, options)
    else passOn(incoming, response, options)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function takeReport(
  incoming: IncomingMessage,
  response: ServerResponse,
  { onViolation }: ReportingProxyOptions,
): Promise<void> {
  const body: unknown = await json(incoming).catch(() => null)
  response.writeHead(204).end()
  const report: Readonly<Record<string, unknown>> = Object(Object(body)['csp-report'])
  const page = URL.parse(String(report['document-uri']))?.pathname
  const directive = String(report['effective-directive'] ?? '')
  const blocked = String(report['blocked-uri'] ?? '')
  if (page !== undefined && directive !== '' && blocked !== '') onViolation({ page, directive, blocked })
}

function passOn(
  incoming: IncomingMessage,
  response: ServerResponse,
  { url, host, cookie }: ReportingProxyOptions,
): void {
  const { origin: _origin, ...headers } = incoming.headers
  const { method, url: path } = incoming
  const options = { host: url.hostname, port: url.port, method, path, headers: { ...headers, host, cookie } }
  const outgoing = request(options, (answer) => {
    const policy = answer.headers['content-security-policy']
    response.writeHead(answer.statusCode ?? 502, {
      ...answer.headers,
      ...(policy !== undefined && { 'content-security-policy': `${policy}; report-uri ${REPORTS}` }),
    })
    answer.pipe(response)
  })
  outgoing.once('error', () => response.destroy())
  incoming.pipe(outgoing)
}
