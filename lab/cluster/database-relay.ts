import { connect, createServer, type Socket } from 'node:net'

/** `refused`: connections are reset, with no listener; `silent`: they stay open without data, as behind a broken router. */
type LineState = 'open' | 'refused' | 'silent'

/** The line between one gate and the database. */
export interface DatabaseRelay extends AsyncDisposable {
  readonly port: number
  change(state: LineState): Promise<void>
}

/** Listens on a free loopback port, which stays the same. */
export async function startDatabaseRelay(databasePort: number): Promise<DatabaseRelay> {
  const sockets = new Set<Socket>()
  let state: LineState = 'open'
  const server = createServer((fromGate) => {
    const toDatabase = connect(databasePort, '127.0.0.1')
    for (const [from, to] of [
      [fromGate, toDatabase],
      [toDatabase, fromGate],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => state === 'open' && to.write(chunk))
      from.on('error', () => {}) // being cut off is what is expected
      from.once('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () => new Promise((resolve) => server.close(resolve))
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  await listen(0)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the relay got no port')
  const { port } = address
  return {
    port,
    async change(to) {
      const wasListening = state !== 'refused'
      if (to !== 'silent') cutAll() // a connection that lost a part of what was said is of no use
      state = to
      if (to === 'refused' && wasListening) await close()
      if (to !== 'refused' && !wasListening) await listen(port)
    },
    async [Symbol.asyncDispose]() {
      cutAll()
      if (server.listening) await close()
    },
  }
}
