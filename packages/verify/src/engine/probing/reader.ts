import { ExplainedError } from '@sekisho/contract/explained-error'

/** A reader whose session is used to read everything once. */
export interface Reader {
  /** The whole Cookie header. */
  readonly cookie: string
  /** Sessions that may be ended, to see that they are over; the one of `cookie` may be among them. */
  readonly ends?: SessionsToEnd
}

/** The reader's session opens nothing, so asking as a stranger afterwards would prove nothing. */
export class ReaderRefusedError extends ExplainedError {
  override readonly name = 'ReaderRefusedError'
  readonly code = 'reader_refused'
}

/** Sessions of one reader, to be ended: each as a whole Cookie header. */
export interface SessionsToEnd {
  readonly one: string
  /** Ended together, by the first of them; none leaves that out. */
  readonly together: readonly string[]
}
