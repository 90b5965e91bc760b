import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A line to a program of this machine that is cut again and again. */
export interface BreakingLine extends AsyncDisposable {
  /** Port of its beginning. */
  readonly port: number
  /** Port at which the program at its end must listen. */
  readonly toPort: number
}

/** Cuts whichever connection carries the last of each so many bytes that are sent. */
export async function startBreakingLine(afterBytes: number): Promise<BreakingLine> {
  const sockets = new Set<Socket>()
  const toPort = await findFreePort()
  let sent = 0
  const server = createServer((from) => {
    const to = connect(toPort, '127.0.0.1')
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {}) // being cut off is what is expected
      one.once('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    from.on('data', ({ length }) => {
      sent += length
      if (sent < afterBytes) return
      sent = 0
      from.destroy()
    })
    from.pipe(to).pipe(from)
  })
  const port = await listen(server)
  return {
    port,
    toPort,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await close(server)
    },
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await close(server)
  return port
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port was opened')
  return address.port
}

async function close(server: Server): Promise<void> {
  server.close()
  await once(server, 'close')
}
