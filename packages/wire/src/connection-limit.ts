import type { Server, Socket } from 'node:net'

/** Keeps the number of connections bounded without letting silent ones crowd readers out. */
interface ConnectionLimit {
  /** The connection has sent a whole request and is owed a response. */
  markBusy(socket: Socket): void
  /** The connection owes us a request again. */
  markWaiting(socket: Socket): void
  dropAll(): void
}

/** Since which turn, counted over all connections, we wait for a request; infinite while we owe a response. */
interface Wait {
  since: number
}

const BUSY = Number.POSITIVE_INFINITY

/**
 * Drops, for each connection over the limit, the one that has kept the server waiting longest: slow connections (slowloris) then compete
 * only with each other. With none waiting, the newcomer is dropped. Scanning 4,096 connections costs less than an accept.
 */
export function limitConnections(server: Server, maxConnections: number): ConnectionLimit {
  const open = new Map<Socket, Wait>()
  let turn = 0

  server.on('connection', (socket: Socket) => {
    const wait = { since: BUSY }
    open.set(socket, wait)
    if (open.size > maxConnections) drop(findLongestWaiting() ?? socket)
    wait.since = nextTurn()
    socket.once('close', () => open.delete(socket))
  })

  function nextTurn(): number {
    turn += 1
    return turn
  }
  function findLongestWaiting(): Socket | null {
    let found: Socket | null = null
    let longest = BUSY
    for (const [socket, { since }] of open) {
      if (since < longest) [found, longest] = [socket, since]
    }
    return found
  }
  function drop(socket: Socket): void {
    open.delete(socket)
    socket.destroy()
  }
  function mark(socket: Socket, since: number): void {
    const wait = open.get(socket)
    if (wait !== undefined) wait.since = since
  }

  return {
    markBusy: (socket) => mark(socket, BUSY),
    markWaiting: (socket) => mark(socket, nextTurn()),
    dropAll() {
      for (const socket of open.keys()) drop(socket)
    },
  }
}
