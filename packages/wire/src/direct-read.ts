import type { Socket } from 'node:net'

/**
 * Gives what arrives on a socket to `onData` as `on('data')` would, without the stream's queue where nothing waits in
 * it: `push`, which a socket calls for what it has read, is answered here. The queue takes about a tenth of answering a page
 * (decisions/028). Paused or with something waiting, the stream does what it always does; so it would for everything
 * if sockets stopped calling `push`, which a test would tell.
 */
export function readDirectly(socket: Socket, onData: (chunk: Buffer) => void): void {
  const { push } = socket
  socket.push = (chunk: Buffer | null) => {
    if (chunk === null || socket.readableFlowing !== true || socket.readableLength > 0)
      return push.call(socket, chunk)
    onData(chunk)
    return true
  }
  socket.on('data', onData)
}
