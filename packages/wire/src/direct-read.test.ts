import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readDirectly } from './direct-read.ts'

const server = createServer({ allowHalfOpen: true })
let client: Socket
let socket: Socket
let direct: string[]
/** What went through the stream's queue. */
let queued: string[]

beforeEach(async () => {
  direct = []
  queued = []
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const accepted = once(server, 'connection')
  client = connect((server.address() as { port: number }).port, '127.0.0.1')
  ;[socket] = (await accepted) as [Socket]
  readDirectly(socket, (chunk) => direct.push(chunk.toString()))
  socket.on('data', (chunk) => queued.push(String(chunk)))
})
afterEach(() => {
  client.destroy()
  socket.destroy()
  server.close()
})

async function send(text: string): Promise<void> {
  const bytesBefore = socket.bytesRead
  client.write(text)
  await expect.poll(() => socket.bytesRead).toBe(bytesBefore + text.length)
}

it('reads past the queue: if this fails, sockets no longer call push, and only speed is lost', async () => {
  await send('a')
  await send('b')
  expect([direct, queued]).toEqual([['a', 'b'], []])
})

it('keeps order and loses nothing when paused and resumed', async () => {
  await send('a')
  socket.pause()
  await send('b')
  expect(direct).toEqual(['a'])
  socket.resume()
  client.write('c')
  await expect.poll(() => direct.join('')).toBe('abc')
  await send('d')
  expect(direct.join('')).toBe('abcd')
})

it('lets nothing overtake what still waits after a resume', async () => {
  socket.pause()
  socket.push(Buffer.from('a'))
  socket.resume()
  socket.push(Buffer.from('b'))
  await expect.poll(() => direct.join('')).toBe('ab')
})

it('still tells the end', async () => {
  client.end('a')
  await once(socket, 'end')
  expect(direct).toEqual(['a'])
})
