import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { createNodeServer } from '../server.ts'
import { BytesResponse } from './bytes-response.ts'
import { createEndOfTurn } from './end-of-turn.ts'

const REQUEST = 'GET / HTTP/1.1\r\nHost: portal.test\r\n\r\n'

it('ends a turn once for all who wait for it, and the next turn anew', async () => {
  const endOfTurn = createEndOfTurn()
  const first = endOfTurn()
  expect(endOfTurn()).toBe(first)
  await first
  expect(endOfTurn()).not.toBe(first)
})

it('answers what came in together only once all of it was read', async () => {
  const seen: string[] = []
  const server = createNodeServer({ refusalResponse: () => new BytesResponse(null, { status: 400 }) })
  const port = await server.listen(0, '127.0.0.1')
  server.attach({
    origin: new URL('http://portal.test'),
    async handle() {
      seen.push('asked')
      return new BytesResponse(null, { headers: { 'x-made': String(seen.push('made')) } })
    },
  })
  const sockets = [1, 2, 3].map(() => connect(port, '127.0.0.1'))
  const askAll = () => Promise.all(sockets.map((socket) => ask(socket).then(() => seen.push('read'))))
  await askAll() // all three are accepted
  seen.length = 0
  const responses = askAll()
  holdUp(50) // until the system has all three requests
  await responses
  expect(seen.indexOf('read')).toBe(6)
  for (const socket of sockets) socket.destroy()
  await server.close(0)
})

function ask(socket: Socket): Promise<unknown> {
  socket.write(REQUEST)
  return new Promise((resolve) => socket.once('data', resolve))
}

function holdUp(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
