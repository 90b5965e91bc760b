import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { boundFetch, ResponseTooLargeError } from './bounded-fetch.ts'

const MAX_BYTES = 64 * 1024
const GIGABYTE = 1024 ** 3

let sentBytes = 0
let closed: Promise<void>
const server = createServer((request, response) => {
  closed = new Promise((resolve) => response.on('close', resolve))
  ANSWERS[request.url ?? '']?.(response)
})
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/fits': (response) => response.end('x'.repeat(MAX_BYTES)),
  '/one-more': (response) => response.end('x'.repeat(MAX_BYTES + 1)),
  '/endless': sendOn,
  '/declared': (response) => sendOn(response.writeHead(200, { 'Content-Length': GIGABYTE })),
  '/declared-in-silence': (response) =>
    response.writeHead(200, { 'Content-Length': GIGABYTE }).flushHeaders(),
  '/packed': (response) =>
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('x'.repeat(MAX_BYTES * 64))),
  '/slow': (response) => {
    const timer = setInterval(() => response.write('x'), 10)
    response.on('close', () => clearInterval(timer))
  },
  '/silent': () => {},
  '/cut': (response) =>
    void response.writeHead(200, { 'Content-Length': 10 }).write('x', () => response.destroy()),
  '/none': (response) => response.writeHead(204).end(),
  '/redirect': (response) => response.writeHead(302, { Location: '/fits' }).end('elsewhere'),
}

function sendOn(response: ServerResponse): void {
  const chunk = Buffer.alloc(16_384)
  const write = () => {
    do sentBytes += chunk.length
    while (response.write(chunk) && !response.destroyed)
  }
  response.on('drain', write)
  write()
}

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => void server.close())

function ask(path: string, init: RequestInit = {}, timeoutMs = 60_000) {
  const { port } = server.address() as AddressInfo
  return boundFetch(fetch, { maxBytes: MAX_BYTES, timeoutMs })(`http://127.0.0.1:${port}${path}`, init)
}

it('passes a response within its bounds on', async () => {
  const response = await ask('/fits')
  expect([response.status, (await response.text()).length]).toEqual([200, MAX_BYTES])
  expect((await ask('/none')).status).toBe(204)
  const redirect = await ask('/redirect', { redirect: 'manual' })
  expect([redirect.status, redirect.headers.get('location')]).toEqual([302, '/fits'])
})

it.each(['/one-more', '/endless', '/declared', '/packed'])(
  'refuses the body of %s and closes',
  async (path) => {
    sentBytes = 0
    await expect(ask(path)).rejects.toThrow(ResponseTooLargeError)
    await closed
    expect(sentBytes).toBeLessThan(16 * 1024 * 1024) // what fits into the buffers between the two
  },
)

it.each(['/slow', '/silent', '/declared-in-silence'])('gives %s up when the time is over', async (path) => {
  await expect(ask(path, {}, 200)).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }))
  await closed
})

it('ends with the signal of the request too, and with the connection', async () => {
  await expect(ask('/slow', { signal: AbortSignal.timeout(50) })).rejects.toThrow()
  await closed
  await expect(ask('/cut')).rejects.toThrow(TypeError)
})
