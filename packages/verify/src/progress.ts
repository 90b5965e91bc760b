import type { Progress } from './engine/run.ts'

const LINE_EVERY_MS = 5_000
const TERMINAL_EVERY_MS = 200

/** Shows where a run is: one line rewritten on a terminal, a line every few seconds elsewhere. */
export function createProgress(stream: NodeJS.WriteStream, elapsed: () => number) {
  let shownAtMs = Number.NEGATIVE_INFINITY
  let phase = ''
  return {
    show(progress: Progress): void {
      const everyMs = stream.isTTY ? TERMINAL_EVERY_MS : LINE_EVERY_MS
      if (progress.phase === phase && elapsed() - shownAtMs < everyMs) return
      shownAtMs = elapsed()
      phase = progress.phase
      const seconds = (elapsed() / 1_000).toFixed(0)
      const text = `verifying: ${progress.phase}, ${progress.requests.toLocaleString('en')} requests, ${seconds} s`
      stream.write(stream.isTTY ? `\r\u001b[K${text}` : `${text}\n`)
    },
    clear(): void {
      if (stream.isTTY) stream.write('\r\u001b[K')
    },
  }
}
