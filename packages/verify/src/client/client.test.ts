import { createServer, type Server } from 'node:net'
import { brotliCompressSync, zstdCompressSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createWireClient } from './client.ts'
import type { WireRequest } from './request.ts'
import { decodeBody, readResponse, type WireResponse } from './response.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A server that sees exact bytes: `answer` gets each request header and returns what to send, or null to hang up. */
function listen(answer: (header: string) => string | null): Promise<URL> {
  const server = createServer((socket) => {
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      for (let end = text.indexOf('\r\n\r\n'); end !== -1; end = text.indexOf('\r\n\r\n')) {
        const reply = answer(text.slice(0, end))
        text = text.slice(end + 4)
        if (reply === null) return socket.destroy()
        socket.write(Buffer.from(reply, 'latin1'))
      }
    })
  })
  servers.push(server)
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('no port')
      resolve(new URL(`http://127.0.0.1:${address.port}`))
    })
  })
}

const get = (target: string): WireRequest => ({ method: 'GET', target, headers: [] })
const ok = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`

describe('the raw client', () => {
  it('puts the target on the wire byte for byte', async () => {
    const seen: string[] = []
    const origin = await listen((head) => {
      seen.push(head)
      return ok('x')
    })
    await createWireClient(origin).exchange(get(`/a/../b#c\\d%zz${Buffer.from('が').toString('latin1')}`))
    expect(seen[0]?.split('\r\n')[0]).toBe('GET /a/../b#c\\d%zz\xe3\x81\x8c HTTP/1.1')
  })

  it('pairs pipelined answers with their requests', async () => {
    const origin = await listen((head) => ok(head.split(' ')[1] ?? ''))
    const wrong: string[] = []
    const probes = Array.from({ length: 500 }, (_, index) => ({ request: get(`/${index}`) }))
    let count = 0
    await createWireClient(origin).exchangeAll(probes, ({ request }, outcome) => {
      count += 1
      if (outcome.kind !== 'response' || outcome.response.body.toString() !== request.target)
        wrong.push(request.target)
    })
    expect({ count, wrong }).toEqual({ count: 500, wrong: [] })
  })

  it('goes on behind a request that makes the server hang up', async () => {
    const origin = await listen((head) => (head.includes('/bad') ? null : ok('fine')))
    const kinds = new Map<string, string>()
    const probes = ['/1', '/2', '/bad', '/3', '/4'].map((target) => ({ request: get(target) }))
    await createWireClient(origin, { connections: 1 }).exchangeAll(probes, ({ request }, outcome) => {
      kinds.set(request.target, outcome.kind)
    })
    expect(Object.fromEntries(kinds)).toEqual({
      '/1': 'response',
      '/2': 'response',
      '/bad': 'closed',
      '/3': 'response',
      '/4': 'response',
    })
  })

  it('counts every answer that raw bytes draw out of the server', async () => {
    const origin = await listen((head) => ok(head.split(' ')[1] ?? ''))
    const outcomes = await createWireClient(origin).exchangeBytes(
      Buffer.from('GET /one HTTP/1.1\r\n\r\nGET /two HTTP/1.1\r\n\r\n'),
      4,
    )
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['response', 'response', 'timeout'])
  })

  it('reports a server that never answers', async () => {
    const origin = await listen(() => '')
    const outcome = await createWireClient(origin, { timeoutMs: 50 }).exchange(get('/'))
    expect(outcome.kind).toBe('timeout')
  })
})

describe('readResponse', () => {
  const CASES: readonly [
    name: string,
    bytes: string,
    method: string,
    ended: boolean,
    kind: string,
    body: string,
  ][] = [
    ['a length', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab', 'GET', false, 'complete', 'ab'],
    [
      'HEAD: no body whatever the length',
      'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n',
      'HEAD',
      false,
      'complete',
      '',
    ],
    [
      'chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n',
      'GET',
      false,
      'complete',
      'abc',
    ],
    ['until the end', 'HTTP/1.1 200 OK\r\n\r\nabc', 'GET', true, 'complete', 'abc'],
    ['not yet the end', 'HTTP/1.1 200 OK\r\n\r\nabc', 'GET', false, 'partial', ''],
    ['half a header', 'HTTP/1.1 200 OK\r\nContent-', 'GET', false, 'partial', ''],
    ['not HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', 'GET', false, 'unreadable', ''],
    ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n', 'GET', false, 'unreadable', ''],
    [
      'a bad chunk size',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      'GET',
      false,
      'unreadable',
      '',
    ],
  ]
  it.each(CASES)('%s', (_name, bytes, method, ended, kind, body) => {
    const reading = readResponse(Buffer.from(bytes, 'latin1'), method, ended)
    expect(reading.kind).toBe(kind)
    if (reading.kind === 'complete') expect(reading.response.body.toString()).toBe(body)
  })

  it('keeps the headers of early hints', () => {
    const bytes =
      'HTTP/1.1 103 Early Hints\r\nLink: </secret.js>\r\n\r\nHTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n'
    const reading = readResponse(Buffer.from(bytes), 'GET', false)
    expect(reading.kind === 'complete' && reading.response.interim).toEqual([['Link', '</secret.js>']])
  })
})

describe('decodeBody', () => {
  const answer = (coding: string, body: Buffer): WireResponse => ({
    status: 200,
    reason: 'OK',
    headers: [['Content-Encoding', coding]],
    body,
    interim: [],
  })
  it.each([
    ['br', brotliCompressSync('plain')],
    ['zstd', zstdCompressSync('plain')],
    ['identity', Buffer.from('plain')],
    ['br, zstd', zstdCompressSync(brotliCompressSync('plain'))],
  ])('undoes %s', (coding, body) => {
    expect(decodeBody(answer(coding, body))?.toString()).toBe('plain')
  })
  it.each(['br', 'gzip', 'unheard-of'])('does not clear a body that is not %s', (coding) => {
    expect(decodeBody(answer(coding, Buffer.from('not compressed')))).toBeNull()
  })
})
