import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** First port, below the ephemeral range (32,768 and more), so that no connection takes one before its use. */
const FROM = 20_000
const BELOW = 30_000

/** An unused port of this machine. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FROM, BELOW)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      (error) => {
        if (Object(error).code !== 'EADDRINUSE') throw error
        return false
      },
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
