import type { Reader, ServedEdition } from '../kernel/reader.ts'
import type { Session } from '../state/sessions/index.ts'
import { PLAIN } from '../state/testing/index.ts'

/** The session of a signed-in account. */
export const SESSION: Session = {
  ...PLAIN,
  ...{ id: 'reader', sub: 'u1', email: 'hanako@example.co.jp', name: null, device: '', address: '' },
  ...{ startedAtMs: 0, lastSeenAtMs: 0, provenAtMs: 0, isProvable: true },
}

/** A reader in a browser, of no groups, who is served this edition. */
export function readerOf(served: ServedEdition | null, session: Session = SESSION): Reader {
  return {
    ...{ account: session, session, via: 'session', grant: null, groups: new Map(), owns: () => false },
    ...{
      served,
      ownEdition: served === null ? null : { name: served.name, label: served.name },
      viewingAs: null,
      viewable: [],
    },
  }
}

/** The edition for readers of no groups; null without one. */
export async function everybodysEdition(releases: {
  editions(): Promise<readonly ServedEdition[]>
}): Promise<ServedEdition | null> {
  return (await releases.editions()).find(({ audiences }) => audiences.length === 0) ?? null
}
