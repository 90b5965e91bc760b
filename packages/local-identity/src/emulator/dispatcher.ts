import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http'
import { duplexPair } from 'node:stream'

/** One call to a node:http listener: always JSON or a form in, always JSON out. */
export interface Call {
  readonly method: 'GET' | 'POST'
  /** Path and query, as on a request line. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly body: unknown
}

export interface Dispatcher {
  call(call: Call): Promise<Answer>
  close(): void
}

/**
 * Talks HTTP to a listener over a pair of streams in memory: there is no socket that another process on
 * this machine could connect to.
 */
export function createDispatcher(listener: RequestListener): Dispatcher {
  const server = createServer(listener)
  return {
    call: async (call) => {
      const response = await send(server, call)
      return { status: response.statusCode ?? 500, body: JSON.parse(await readText(response)) as unknown }
    },
    close: () => server.closeAllConnections(),
  }
}

function send(server: ReturnType<typeof createServer>, call: Call): Promise<IncomingMessage> {
  const [client, other] = duplexPair()
  server.emit('connection', other)
  const body = call.body ?? ''
  const headers = { host: 'emulator.invalid', connection: 'close', ...call.headers }
  const length = call.method === 'POST' ? { 'content-length': Buffer.byteLength(body) } : {}
  return new Promise((resolve, reject) => {
    const outgoing = request({
      method: call.method,
      path: call.path,
      headers: { ...headers, ...length },
      createConnection: () => client,
    })
    outgoing.on('response', resolve)
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
