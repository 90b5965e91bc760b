/**
 * Gathers the lines of one turn of the event loop and writes them at its end: a write is a system call, and a busy
 * turn answers dozens of requests. What is still held when the process exits, also through a fault, is written then.
 */
export function createLineWriter(write: (text: string) => void): (line: string) => void {
  let held = ''
  function flush(): void {
    const text = held
    held = ''
    if (text !== '') write(text)
  }
  process.on('exit', flush)
  return (line) => {
    if (held === '') setImmediate(flush)
    held += line
  }
}
