import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'

const STEP_BYTES = 65_536
const NEWLINE = 0x0a

export interface FileEnd {
  /** The last whole line without its end, or '' when the file holds none. */
  readonly lastLine: string
  /** Bytes of a line cut short that were removed. */
  readonly cutBytes: number
}

/**
 * Removes what follows the last whole line and reads that line. Reads from the end: a month of readings is
 * hundreds of megabytes, and a start must not depend on how busy the month was.
 */
export function repairEnd(file: string): FileEnd {
  const descriptor = openSync(file, 'r+')
  try {
    const { size } = fstatSync(descriptor)
    const end = findNewlineBefore(descriptor, size) + 1
    if (end < size) ftruncateSync(descriptor, end)
    if (end === 0) return { lastLine: '', cutBytes: size }
    const start = findNewlineBefore(descriptor, end - 1) + 1
    const line = Buffer.alloc(end - 1 - start)
    readSync(descriptor, line, 0, line.length, start)
    return { lastLine: line.toString('utf8'), cutBytes: size - end }
  } finally {
    closeSync(descriptor)
  }
}

/** Position of the last newline before `position`, or -1. */
function findNewlineBefore(descriptor: number, position: number): number {
  const step = Buffer.alloc(STEP_BYTES)
  for (let to = position; to > 0; ) {
    const from = Math.max(0, to - STEP_BYTES)
    readSync(descriptor, step, 0, to - from, from)
    const found = step.subarray(0, to - from).lastIndexOf(NEWLINE)
    if (found !== -1) return from + found
    to = from
  }
  return -1
}
