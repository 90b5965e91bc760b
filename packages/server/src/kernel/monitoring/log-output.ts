import type { Writable } from 'node:stream'
import { isoTime } from '../../storage/lines/index.ts'

/** Destination of the log. Its failures do not affect the gate: unwritable lines are dropped and counted. */
export interface LogOutput {
  readonly write: (line: string) => void
  /** Lines that were never written, since the start. */
  readonly droppedLines: number
  /** Lines are being dropped now. */
  readonly isFailing: boolean
  /** Resolves to true if everything is written, after `timeoutMs` at the latest: the pipe may be unread. */
  end(timeoutMs: number): Promise<boolean>
}

interface LogOutputOptions {
  readonly now: () => number
  /** Limit of characters waiting for an unread pipe: some 4,000 lines. */
  readonly maxWaiting?: number
}

const END_POLL_MS = 20

/**
 * Gathers the lines of an event loop turn into one write, also at exit and after faults. Survives a reader that exits (EPIPE) or stalls,
 * and a full disk (ENOSPC). Then reports the number of dropped lines, after a line end against half lines.
 */
export function createLogOutput(
  stream: Pick<Writable, 'write' | 'on'>,
  { now, maxWaiting = 1_000_000 }: LogOutputOptions,
): LogOutput {
  let lines: string[] = []
  let waiting = 0 // characters, of this turn and of those the stream has not taken
  let unsaid = 0
  let droppedLines = 0
  let isFailing = false

  function drop(count: number): void {
    unsaid += count
    droppedLines += count
    isFailing = true
  }
  function flush(): void {
    if (lines.length > 0) send(lines)
    lines = []
  }
  function send(batch: readonly string[]): void {
    const said = unsaid
    const text = batch.join('')
    unsaid = 0
    stream.write(notice(said) + text, (error) => {
      waiting -= text.length
      if (error) {
        unsaid += said
        drop(batch.length)
      } else {
        isFailing = unsaid > 0
        if (isFailing && waiting === 0) send([])
      }
    })
  }
  function notice(count: number): string {
    if (count === 0) return ''
    const fields = { at: isoTime(now()), level: 'warn', event: 'log_lines_dropped', count }
    return `\n${JSON.stringify(fields)}\n`
  }

  stream.on('error', () => {}) // each write reports its own
  process.on('exit', flush)
  return {
    write(line) {
      if (waiting + line.length > maxWaiting) {
        drop(1)
        return
      }
      if (lines.length === 0) setImmediate(flush)
      lines.push(line)
      waiting += line.length
    },
    get droppedLines() {
      return droppedLines
    },
    get isFailing() {
      return isFailing
    },
    async end(timeoutMs) {
      flush()
      const endMs = performance.now() + timeoutMs
      while (waiting > 0 && performance.now() < endMs)
        await new Promise((resolve) => setTimeout(resolve, END_POLL_MS))
      return waiting === 0
    },
  }
}
