import { findTlsProblem } from '@sekisho/contract/connection-failure'
import { isoTime, plainJson } from '../../storage/lines/index.ts'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Structured log: one JSON object a line. Levels and events are words of ours. Fields never hold a token, a cookie or an upstream body. */
export type Log = (level: LogLevel, event: string, fields?: LogFields) => void

type LogFields = Readonly<Record<string, unknown>>

const RANK: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 }

interface LogOptions {
  readonly level: LogLevel
  readonly write: (line: string) => void
  readonly now: () => number
}

export function createLog({ level: threshold, write, now }: LogOptions): Log {
  return (level, event, fields = {}) => {
    if (RANK[level] < RANK[threshold]) return
    write(`${plainJson({ at: isoTime(now()), level, event, ...fields })}\n`)
  }
}

/** Loggable facts of an error: its kind and place, with the chain of its causes. */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { kind: typeof error }
  const { name, message, stack, cause } = error
  if (cause !== undefined) return { name, message, stack, cause: describeError(cause) }
  const tls = findTlsProblem(error)
  return { name, message, stack, ...(tls === null ? {} : { tls: String(tls) }) }
}

/** Tells operators of an account whose groups its provider does not tell whole, so that it has none. */
export function logUnknownGroups(log: Log, session: string): void {
  const advice = 'decisions/182 and the handbook say what to set at the provider'
  log('warn', 'groups_unknown', { session, advice })
}
