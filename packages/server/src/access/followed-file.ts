import { readFileSync, statSync } from 'node:fs'
import type { PartState } from '../kernel/monitoring/health.ts'
import { describeError, type Log } from '../kernel/monitoring/log.ts'
import { UnavailableError } from '../storage/unavailable-error.ts'

/** Grace period of a file that became unreadable or invalid, and the place of its reports. */
export interface KeepOptions {
  /** Zero: not at all. */
  readonly keepMs: number
  readonly log: Log
  /** Monotonic milliseconds. */
  readonly elapsed?: () => number
}

export interface FollowedFile<T> {
  /** The value in force; throws `UnavailableError` where there is none. */
  readonly read: () => T
  /** `degraded`: the file is wrong, and its last valid value is in force. */
  readonly state: () => PartState
}

const SAY_EVERY_MS = 60_000
/** A wrong file that stays as it is is read again after this: each request would parse it otherwise. */
const RETRY_MS = 1_000
/** Some 300,000 addresses. */
const MAX_BYTES = 16_777_216

/**
 * Follows a file that an operator edits: one `stat` per call, one read per change. An invalid file leaves its last value in force for
 * `keepMs`, with an error logged each minute; then it is an outage.
 * @param parse throws on invalid text
 */
export function followedFile<T>(
  { path, setting }: { readonly path: string; readonly setting: string },
  parse: (text: string) => T,
  { keepMs, log, elapsed = () => performance.now() }: KeepOptions,
): FollowedFile<T> {
  let known: { readonly stamp: string; readonly value: T; validAtMs: number } | null = null
  let saidAtMs: number | null = null
  let wrong: { readonly stamp: string; readonly error: unknown; readonly atMs: number } | null = null

  function parseFile(stamp: string, isReadable: boolean): T {
    if (wrong?.stamp === stamp && elapsed() - wrong.atMs < RETRY_MS) throw wrong.error
    try {
      // A pipe or device would hold up the event loop.
      if (!isReadable) throw new Error(`not a regular file of at most ${MAX_BYTES} bytes`)
      return parse(readFileSync(path, 'utf8'))
    } catch (error) {
      wrong = { stamp, error, atMs: elapsed() }
      throw error
    }
  }

  function readFile(): T {
    // ctime: tools that keep a file's mtime change it, and so does chmod
    const found = statSync(path, { bigint: true })
    const { ino, size, ctimeNs } = found
    const stamp = `${ino}:${size}:${ctimeNs}`
    const isChanged = known?.stamp !== stamp || saidAtMs !== null
    const isReadable = found.isFile() && size <= MAX_BYTES
    const value = known === null || isChanged ? parseFile(stamp, isReadable) : known.value
    known = { stamp, value, validAtMs: elapsed() }
    if (saidAtMs !== null) log('warn', 'followed_file_valid', { setting })
    saidAtMs = null
    return value
  }

  /** The value that a wrong file leaves in force; null once that is over. */
  function keptValue(error: unknown): { readonly value: T } | null {
    const leftMs = known === null ? 0 : known.validAtMs + keepMs - elapsed()
    if (leftMs <= 0 || error instanceof UnavailableError) known = null
    if (saidAtMs === null || elapsed() - saidAtMs >= SAY_EVERY_MS || (known === null && leftMs > 0)) {
      saidAtMs = elapsed()
      const seconds = known === null ? 0 : Math.ceil(leftMs / 1_000)
      log('error', 'followed_file_invalid', {
        setting,
        path,
        keptForSeconds: seconds,
        error: describeError(error),
      })
    }
    return known
  }

  function find(): { readonly value: T; readonly state: PartState } {
    try {
      return { value: readFile(), state: 'ok' }
    } catch (cause) {
      const kept = keptValue(cause)
      if (kept !== null) return { value: kept.value, state: 'degraded' }
      throw new UnavailableError('unavailable', `the file of ${setting} cannot be used`, { cause })
    }
  }

  return {
    read: () => find().value,
    state() {
      try {
        return find().state
      } catch {
        return 'failed'
      }
    },
  }
}
