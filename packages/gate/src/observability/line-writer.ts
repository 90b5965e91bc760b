import type { Writable } from 'node:stream'

/**
 * Gathers the lines of one turn of the event loop and writes them at its end: a write is a system call, and a busy turn answers
 * dozens of requests. What is still held when the process exits, also through a fault, is written then.
 */
export function createLineWriter(output: Pick<Writable, 'write'>): (line: string) => void {
  let lines: string[] = []

  function flush(): void {
    if (lines.length > 0) output.write(lines.join(''))
    lines = []
  }
  process.on('exit', flush)
  return (line) => {
    if (lines.length === 0) setImmediate(flush)
    lines.push(line)
  }
}
