import type { Session } from '@sekisho/state/sessions'
import { PLAIN } from '@sekisho/state/testing'

/** The session of somebody signed in, for what asks for one and nothing else. */
export const READER: Session = {
  ...PLAIN,
  ...{ id: 'reader', sub: 'u1', email: 'hanako@example.co.jp', name: null, device: '', address: '' },
  ...{ startedAtMs: 0, lastSeenAtMs: 0, provenAtMs: 0, isProvable: true },
}
