import { once } from 'node:events'
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Rule } from '@sekisho/verify'
import { PAGES, SCRIPT_SECRET } from '../fixture-site.ts'

/** A proxy between client and gate: plain Node, which refuses malformed requests by itself, as every proxy does. */
interface ProxyUnderTest extends AsyncDisposable {
  readonly port: number
}

interface Passed {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** Asks the gate for the client; the target goes on as it came unless another is given. */
type Pass = (target?: string, cookie?: string) => Promise<Passed>
type Answer = (request: IncomingMessage, pass: Pass, readerCookie: string) => Promise<Passed> | Passed | null

/** One way in which a proxy gives away what the gate keeps, and a rule of `verify` that must notice. */
interface BrokenProxy {
  readonly name: string
  readonly found: Rule
  /** Made for each proxy; null passes the request on. */
  readonly create: () => Answer
}

/** Starts a proxy before the gate; `answer` may answer in its place. */
export async function startProxy(
  gatePort: number,
  answer: Answer,
  readerCookie: string,
): Promise<ProxyUnderTest> {
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pass: Pass = (target, cookie) => passOn(gatePort, request, target, cookie)
    const { status, headers, body } = (await answer(request, pass, readerCookie)) ?? (await pass())
    response.sendDate = false
    response.writeHead(status, [...headers])
    response.end(request.method === 'HEAD' ? undefined : body)
  }
  const server = createServer((request, response) => {
    request.resume()
    handle(request, response).catch(() => response.writeHead(400).end('refused'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy got no port')
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The gate takes so many connections of one address. */
const agent = new Agent({ keepAlive: true, maxSockets: 8 })
const PER_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
  'content-length',
])

/** Rejects what Node's client cannot put on the wire; the proxy then refuses by itself. */
function passOn(port: number, request: IncomingMessage, target?: string, cookie?: string): Promise<Passed> {
  const headers: string[] = []
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at] ?? ''
    if (!PER_HOP.has(name.toLowerCase())) headers.push(name, request.rawHeaders[at + 1] ?? '')
  }
  if (cookie !== undefined) headers.push('Cookie', cookie)
  return new Promise((resolve, reject) => {
    const passed = httpRequest(
      { host: '127.0.0.1', port, method: request.method, path: target ?? request.url, headers, agent },
      async (answer) => {
        const chunks: Buffer[] = []
        for await (const chunk of answer) chunks.push(chunk)
        const kept: string[] = []
        for (let at = 0; at < answer.rawHeaders.length; at += 2) {
          const name = answer.rawHeaders[at] ?? ''
          if (!PER_HOP.has(name.toLowerCase())) kept.push(name, answer.rawHeaders[at + 1] ?? '')
        }
        resolve({ status: answer.statusCode ?? 502, headers: kept, body: Buffer.concat(chunks) })
      },
    )
    passed.once('error', reject)
    passed.end()
  })
}

const refused = (status: number, body = 'refused', headers: readonly string[] = []): Passed => ({
  status,
  headers: ['Content-Type', 'text/html', ...headers],
  body: Buffer.from(body),
})
const pathOf = (request: IncomingMessage) => (request.url ?? '').split('?')[0] ?? ''
const isPage = (path: string) => PAGES.some((page) => encodeURI(page.path) === path)
const isOdd = (request: IncomingMessage) => /%(?:2f|5c|00)/i.test(request.url ?? '')

/** A proxy that refuses some addresses by itself and gives nothing away. */
export const HONEST_PROXY: Answer = (request) => (isOdd(request) ? refused(403) : null)

const foundBy = (
  found: Rule,
  ways: Readonly<Record<string, BrokenProxy['create']>>,
): readonly BrokenProxy[] => Object.entries(ways).map(([name, create]) => ({ name, found, create }))

export const BROKEN_PROXIES: readonly BrokenProxy[] = [
  ...foundBy('protected-text', {
    'keeps answers for the next client'() {
      const kept = new Map<string, Passed>()
      return async (request, pass) => {
        const answer = kept.get(request.url ?? '') ?? (await pass())
        if (answer.status === 200 && request.method === 'GET') kept.set(request.url ?? '', answer)
        return answer
      }
    },
    'takes a connection for its reader'() {
      const readers = new WeakMap<Socket, string>()
      return (request, pass) => {
        const cookie = request.headers.cookie ?? readers.get(request.socket)
        if (cookie !== undefined) readers.set(request.socket, cookie)
        return request.headers.cookie === undefined && cookie !== undefined ? pass(undefined, cookie) : null
      }
    },
    'lets a folder through and resolves dots afterwards': () => (request, pass, readerCookie) =>
      request.url?.startsWith('/x/') === true
        ? pass(new URL(request.url, 'http://proxy.invalid').pathname, readerCookie)
        : null,
    'serves a folder of its own': () => (request) =>
      pathOf(request).endsWith('.js') ? { ...refused(200, `self.x="${SCRIPT_SECRET}"`) } : null,
    'answers another name with the portal': () => (request, pass, readerCookie) => {
      if (request.headers.host !== 'origin.example') return null
      request.rawHeaders = request.rawHeaders.map((text) =>
        text === 'origin.example' ? 'portal.test' : text,
      )
      return pass(undefined, readerCookie)
    },
  }),
  ...foundBy('redirected', {
    'decodes an address before the gate reads it': () => (request) =>
      /\/\//.test(pathOf(request))
        ? refused(301, '', ['Location', pathOf(request).replace(/\/+/g, '/')])
        : null,
  }),
  ...foundBy('not-uniform', {
    'refuses what exists in other words': () => (request) =>
      request.method === 'PROPFIND' && isPage(pathOf(request)) ? refused(405, 'not for pages') : null,
    'gives the next client the answer to what was smuggled'() {
      let smuggled = false
      return (request, pass) => {
        if (request.headers['transfer-encoding'] !== undefined) {
          smuggled = true
          return pass()
        }
        if (!smuggled || request.headers['sec-fetch-mode'] !== 'navigate') return null
        smuggled = false
        return { status: 401, headers: ['Cache-Control', 'no-store'], body: Buffer.from('for somebody else') }
      }
    },
  }),
  ...foundBy('page-title', {
    'names a page in its refusal': () => (request) =>
      isOdd(request) ? refused(400, `see ${PAGES[1]?.title}`) : null,
  }),
  ...foundBy('cacheable', {
    'lets caches keep its refusals': () => (request) =>
      isOdd(request) ? refused(403, 'refused', ['Cache-Control', 'public, max-age=60']) : null,
    'refuses a header with what caches keep at the page': () => (request) =>
      request.headers.range === undefined ? null : refused(404),
    'refuses what everybody asks, so that the gate is not asked': () => (request) =>
      isPage(pathOf(request)) ? refused(403) : null,
    'takes the headers off the gate’s refusals': () => async (_request, pass) => {
      const answer = await pass()
      const headers = answer.headers.filter(
        (_, at, all) => all[at - (at % 2)]?.toLowerCase() !== 'cache-control',
      )
      return { ...answer, headers }
    },
  }),
  ...foundBy('validator', {
    'describes what it refuses': () => (request) =>
      isOdd(request) ? refused(403, 'refused', ['ETag', '"x"']) : null,
  }),
]
