import type { Server, Socket } from 'node:net'

/** Keeps the number of connections bounded without letting silent ones crowd readers out. */
export interface ConnectionLimit {
  /** The connection has sent a whole request head and is owed an answer. */
  markBusy(socket: Socket): void
  /** The connection owes us a request again. */
  markWaiting(socket: Socket): void
  dropAll(): void
}

/**
 * When one connection too many arrives, the one that has kept us waiting longest is dropped: thousands of slow
 * connections (slowloris) then only compete with each other. With nobody waiting, the newcomer is dropped.
 */
export function limitConnections(server: Server, maxConnections: number): ConnectionLimit {
  const open = new Set<Socket>()
  const waiting = new Set<Socket>() // insertion order is arrival order

  server.on('connection', (socket: Socket) => {
    open.add(socket)
    if (open.size > maxConnections) drop(waiting.values().next().value ?? socket)
    if (!socket.destroyed) waiting.add(socket)
    socket.once('close', () => forget(socket))
  })

  function drop(socket: Socket): void {
    forget(socket)
    socket.destroy()
  }
  function forget(socket: Socket): void {
    open.delete(socket)
    waiting.delete(socket)
  }

  return {
    markBusy: (socket) => void waiting.delete(socket),
    markWaiting(socket) {
      if (open.has(socket)) waiting.add(socket)
    },
    dropAll() {
      for (const socket of open) drop(socket)
    },
  }
}
