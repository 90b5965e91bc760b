import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'

const STEP_BYTES = 65_536
const NEWLINE = 0x0a

interface FileEnd {
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
  return readEnd(file, 'r+')
}

/** Reads the last whole line of a file, and changes nothing. */
export function readLastLine(file: string): string {
  return readEnd(file, 'r').lastLine
}

/** Reads the first line of a file without its end; '' when there is none within 64 KB. */
export function readFirstLine(file: string): string {
  const descriptor = openSync(file, 'r')
  try {
    const step = Buffer.alloc(STEP_BYTES)
    const length = readSync(descriptor, step, 0, STEP_BYTES, 0)
    return step.toString('utf8', 0, Math.max(0, step.subarray(0, length).indexOf(NEWLINE)))
  } finally {
    closeSync(descriptor)
  }
}

function readEnd(file: string, flags: 'r' | 'r+'): FileEnd {
  const descriptor = openSync(file, flags)
  try {
    const { size } = fstatSync(descriptor)
    const end = findNewlineBefore(descriptor, size) + 1
    if (end < size && flags === 'r+') ftruncateSync(descriptor, end)
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
