import type { AuditFields, AuditTrail, ReadingEvent } from '../audit/index.ts'
import { whoOf } from '../state/sessions/index.ts'
import { type RequestContext, whereOf } from './boundary.ts'
import type { Reader } from './reader.ts'

/** Content that a request gave its reader. */
interface ReadContent {
  readonly event: ReadingEvent
  readonly reader: Reader
  readonly path: string
  readonly context: Pick<RequestContext, 'requestId'>
  /** Identifier of release and edition, if it is not the one that is served now. */
  readonly release?: string
  readonly more?: AuditFields
}

/** Records content that left the gate: the account, the content, and the edition it is of. As `recordReading`. */
export function recordRead(
  audit: Pick<AuditTrail, 'recordReading'>,
  read: ReadContent,
): Promise<void> | null {
  const { event, reader, path, context, more } = read
  const release = read.release ?? reader.served?.servedAs ?? null
  const about = { event, reader: reader.session, path, release, request: context.requestId }
  return audit.recordReading(more === undefined ? about : { ...about, more })
}

/** Account, session and request of what a reader did, for a line of the audit trail. */
export function actOf({ session }: Pick<Reader, 'session'>, context: RequestContext) {
  return { ...whoOf(session), ...whereOf(context) }
}
