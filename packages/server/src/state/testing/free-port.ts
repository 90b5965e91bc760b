import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below what systems give to whoever connects (32,768 and more), so that no connection takes one before it is used. */
const FROM = 20_000
const BELOW = 30_000

/** A port of this machine that nobody listens on. */
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
