import type { Writable } from 'node:stream'

/** UTF-8 needs three bytes at most for a UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3
const SLAB_BYTES = 65_536

/**
 * Gathers the lines of one turn of the event loop and writes them at its end: a write is a system call, and a busy
 * turn answers dozens of requests. Their bytes lie in memory that is used again once they are taken. What is still
 * held when the process exits, also through a fault, is written then.
 */
export function createLineWriter(output: Pick<Writable, 'write' | 'writableLength'>): (line: string) => void {
  let slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
  let used = 0

  function flush(): void {
    if (used === 0) return
    const lines = slab.subarray(0, used)
    used = 0
    output.write(lines)
    if (output.writableLength > 0) slab = Buffer.allocUnsafeSlow(SLAB_BYTES) // a pipe that is full takes them later
  }
  process.on('exit', flush)
  return (line) => {
    const mostBytes = line.length * MAX_BYTES_PER_UNIT
    if (used + mostBytes > SLAB_BYTES) flush()
    if (mostBytes > SLAB_BYTES) {
      output.write(line)
      return
    }
    if (used === 0) setImmediate(flush)
    used += slab.write(line, used)
  }
}
