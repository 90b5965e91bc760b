import { Agent, request as ask } from 'node:http'
import fc from 'fast-check'
import type { createNodeServer } from '../src/server.ts'
import { BytesResponse } from '../src/writing/bytes-response.ts'

/** A request and the response that the service makes to it. */
interface Exchange {
  readonly method: 'GET' | 'HEAD' | 'POST'
  /** The chunks of a stream, which fails behind them or ends; bytes at hand for null. */
  readonly chunks: readonly string[] | null
  readonly fails: boolean
}

const chunk = fc.oneof(
  fc.constantFrom('', 'a', '0\r\n\r\n', '\r\n', 'HTTP/1.1 200 OK\r\n\r\n', '5\r\n'),
  fc.constantFrom(9, 10, 15, 16, 17, 255, 256, 70_000).map((length) => 'x'.repeat(length)),
)

/** Requests of one connection, and their responses. */
export const anyExchanges: fc.Arbitrary<readonly Exchange[]> = fc.array(
  fc.record({
    method: fc.constantFrom('GET' as const, 'GET' as const, 'HEAD' as const, 'POST' as const),
    chunks: fc.option(fc.array(chunk, { maxLength: 6 }), { freq: 4 }),
    fails: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
  }),
  { minLength: 1, maxLength: 5 },
)

/** A client that waits longer has been told no end. */
const END_WITHIN_MS = 2_000

/** The first response that Node's client (llhttp) reads other than as it was made; null when there is none. */
export async function findMisread(
  exchanges: readonly Exchange[],
  create: typeof createNodeServer,
): Promise<string | null> {
  let current: Exchange | undefined
  const server = create({ refusalResponse: ({ status }) => new BytesResponse(null, { status }) })
  const port = await server.listen(0, '127.0.0.1')
  server.attach({
    origin: new URL(`http://127.0.0.1:${port}`),
    handle: () => (current === undefined ? new BytesResponse(null) : respond(current)),
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    let isReused: boolean | null = false // null behind HEAD, where Node's client decides by what it was told of a length
    for (const [index, exchange] of exchanges.entries()) {
      current = exchange
      const { method, chunks, fails } = exchange
      const breaks = chunks !== null && fails && method !== 'HEAD'
      const whole = method === 'HEAD' ? '' : (chunks?.join('') ?? 'at hand')
      const read = await readResponse(agent, port, method)
      const isAlike = breaks
        ? read.body === null
        : read.body === whole && (isReused === null || read.reused === isReused)
      if (!isAlike) return `response ${index} was read as ${JSON.stringify(read).slice(0, 200)}`
      isReused = method === 'HEAD' ? null : !breaks
    }
    return null
  } finally {
    agent.destroy()
    await server.close(0)
  }
}

function respond({ chunks, fails }: Exchange) {
  if (chunks === null) return new BytesResponse(new Uint8Array(Buffer.from('at hand')))
  const left = [...chunks]
  return new Response(
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const next = left.shift()
        if (next !== undefined) controller.enqueue(new Uint8Array(Buffer.from(next)))
        else if (fails) controller.error(new Error('broken'))
        else controller.close()
      },
    }),
  )
}

/** A body of null did not come to its end. */
function readResponse(
  agent: Agent,
  port: number,
  method: string,
): Promise<{ readonly body: string | null; readonly reused: boolean }> {
  return new Promise((resolve) => {
    const asked = ask({ agent, port, host: '127.0.0.1', method, path: '/' }, (response) => {
      let body = ''
      response.setEncoding('latin1')
      response.on('data', (part: string) => (body += part))
      response.on('end', () => end(response.complete ? body : null))
      response.on('error', () => end(null))
    })
    const timer = setTimeout(() => asked.destroy(), END_WITHIN_MS)
    const end = (body: string | null) => {
      clearTimeout(timer)
      setImmediate(resolve, { body, reused: asked.reusedSocket }) // the connection is back in the pool, or gone
    }
    asked.on('error', () => end(null))
    asked.end()
  })
}
