import { connect, createServer, type Socket } from 'node:net'

/** Stands between a proxy and the gate and remembers what the proxy wrote. */
export interface Relay extends AsyncDisposable {
  readonly port: number
  /** Connections that carried requests for the path, and each request with its headers. */
  readonly seen: (path: string) => { readonly connections: number; readonly requests: readonly string[] }
}

/** Passes bytes on unchanged in both directions. */
export async function startRelay(gatePort: number): Promise<Relay> {
  const received: { text: string }[] = []
  const sockets = new Set<Socket>()
  const server = createServer((fromProxy) => {
    const toGate = connect(gatePort, '127.0.0.1')
    const entry = { text: '' }
    received.push(entry)
    fromProxy.on('data', (chunk) => {
      entry.text += chunk.toString('latin1')
    })
    for (const socket of [fromProxy, toGate]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        sockets.delete(socket)
        fromProxy.destroy()
        toGate.destroy()
      })
    }
    fromProxy.pipe(toGate).pipe(fromProxy)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the relay got no port')
  return {
    port: address.port,
    seen(path) {
      const requests = received.map(({ text }) =>
        text.split('\r\n\r\n').filter((request) => request.split(' ')[1] === path),
      )
      return {
        connections: requests.filter((list) => list.length > 0).length,
        requests: requests.flat(),
      }
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
