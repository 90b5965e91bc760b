import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { BytesResponse } from './bytes-response.ts'
import { PlainHeaders } from './plain-headers.ts'
import { createNodeServer } from './server.ts'

const HOST = 'portal.test'
const ROOM = 2
const server = createNodeServer({
  refusalHeaders: () => new PlainHeaders({ 'Cache-Control': 'private, no-store' }),
  maxLongHeads: ROOM,
})
let port: number

beforeAll(async () => {
  port = await server.listen(0, '127.0.0.1')
  server.attach({ origin: new URL(`https://${HOST}`), handle: async () => new BytesResponse(null) })
})
afterAll(() => server.close(100))

const LONG = `/__gate/search?q=${'%E3%81%82'.repeat(10_000)}`
const requestLine = (target: string) => `GET ${target} HTTP/1.1\r\n`

async function statusOf(target: string): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${requestLine(target)}Host: ${HOST}\r\nConnection: close\r\n\r\n`)
  const [answer] = await once(socket, 'data')
  socket.destroy()
  return Number(String(answer).slice(9, 12))
}

describe('long heads', () => {
  it('are taken from so many connections at a time, which keeps nobody from a page', async () => {
    const unfinished = Array.from({ length: ROOM }, () => {
      const socket = connect(port, '127.0.0.1')
      socket.write(requestLine(LONG))
      return socket
    })
    await vi.waitFor(async () => expect(await statusOf(LONG)).toBe(503))
    expect(await statusOf('/docs')).toBe(200)
    for (const socket of unfinished) socket.destroy()
    await vi.waitFor(async () => expect(await statusOf(LONG)).toBe(200))
  })

  it('leave room when they are answered, on a connection that stays open too', async () => {
    const kept: Socket[] = []
    while (kept.length <= ROOM) {
      const socket = connect(port, '127.0.0.1')
      kept.push(socket)
      socket.write(`${requestLine(LONG)}Host: ${HOST}\r\n\r\n`)
      const [answer] = await once(socket, 'data')
      expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /)
    }
    for (const socket of kept) socket.destroy()
  })
})
