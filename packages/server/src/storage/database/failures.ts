import { findTlsProblem } from '@sekisho/contract/connection-failure'
import { ExplainedError } from '@sekisho/contract/explained-error'
import type { Message, MessageOrText } from '@sekisho/contract/language'
import pg from 'pg'
import { problemOf } from '../texts/index.ts'

/** The database cannot be used as it is; the message says what to do and holds nothing of the URL. */
export class DatabaseError extends ExplainedError {
  override readonly name = 'DatabaseError'
  readonly code = 'database_unusable'
}

/** A standby takes no session and no line of the trail. */
export class StandbyError extends Error {
  override readonly name = 'StandbyError'
  constructor() {
    super('it is a standby, or read-only: nothing can be written there')
  }
}

/** The pool leads to another server than the one that is listened to. */
export class OtherServerError extends Error {
  override readonly name = 'OtherServerError'
  constructor() {
    super('another server answered than the one that notifications come from')
  }
}

/** Converts errors of a client library into words for the operator; `unreachable` phrases unknown ones. */
export function asDatabaseError(
  error: unknown,
  unreachable: (reason: MessageOrText) => MessageOrText,
): DatabaseError {
  if (error instanceof DatabaseError) return error
  if (error instanceof StandbyError) return new DatabaseError(problemOf('database_standby'))
  return new DatabaseError(unreachable(tlsProblemOf(error) ?? describe(error)))
}

/** `pg` has no code for a server without TLS. */
function tlsProblemOf(error: unknown): Message | null {
  const isWithout = error instanceof Error && /does not support SSL/.test(error.message)
  return isWithout ? problemOf('database_without_tls') : findTlsProblem(error)
}

/** No answer, or one that says the server is coming or going, or takes no writes; what a statement did wrong is none. */
export function isOutage(error: unknown): boolean {
  const code = sqlStateOf(error)
  return code === null || /^(?:08|57P|53|25006)/.test(code)
}

/** The server's sentence names roles and relations, never values; other errors may hold the URL. */
export function describe(error: unknown): string {
  const code = sqlStateOf(error)
  if (code !== null) return `${error instanceof Error ? error.message : ''} (${code})`
  if (error instanceof DatabaseError || error instanceof StandbyError || error instanceof OtherServerError)
    return error.message // of ours, and holds nothing of the URL
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error && /timeout/i.test(error.message) ? 'no answer in time' : 'no connection'
}

function sqlStateOf(error: unknown): string | null {
  return error instanceof pg.DatabaseError && typeof error.code === 'string' ? error.code : null
}
