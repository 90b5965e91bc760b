import type { ChooseEdition } from '../releases/open-releases.ts'
import type { Session } from '../state/sessions/index.ts'
import { PLAIN } from '../state/testing/index.ts'

/** The session of somebody signed in, for what asks for one and nothing else. */
export const READER: Session = {
  ...PLAIN,
  ...{ id: 'reader', sub: 'u1', email: 'hanako@example.co.jp', name: null, device: '', address: '' },
  ...{ startedAtMs: 0, lastSeenAtMs: 0, provenAtMs: 0, isProvable: true },
}

/** For releases of sites that do not tell their readers apart. */
export const everybodysEdition: ChooseEdition = (editions) =>
  editions.find(({ audiences }) => audiences.length === 0) ?? null
