import { afterEach, beforeEach } from 'vitest'
import type { SessionRow } from '../../../sessions/rows/session.ts'
import type { SessionContext, SessionStore } from '../../../sessions/rows/session-store.ts'

import { PLAIN } from '../../test-sessions.ts'

/** A store that tests open as often as gates and operators would. */
export interface StoreUnderTest extends AsyncDisposable {
  open(context: SessionContext | null): Promise<SessionStore>
}

export const OWN: SessionContext = {
  issuer: 'https://issuer.test/a',
  projectId: 'a',
  origin: 'https://portal.test',
}

/** An empty store for each test, opened by one gate; what a test opens beside it is closed behind it. */
interface TestStore {
  readonly store: SessionStore
  open(context: SessionContext | null): Promise<SessionStore>
}

export function useStore(create: () => Promise<StoreUnderTest>): TestStore {
  let place: StoreUnderTest
  let store: SessionStore
  const opened: SessionStore[] = []
  const open = async (context: SessionContext | null) => {
    const one = await place.open(context)
    opened.push(one)
    return one
  }
  beforeEach(async () => {
    place = await create()
    store = await open(OWN)
  })
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close().catch(() => {}) // a test may have closed it
    await place[Symbol.asyncDispose]()
  })
  return {
    get store() {
      return store
    },
    open,
  }
}

/** Stand-in for a sealed refresh token, with every byte there is. */
export const SEALED = Uint8Array.from({ length: 256 }, (_, byte) => byte)

export function rowOf(id: string, changes: Partial<SessionRow> = {}): SessionRow {
  const times = { startedAtMs: 1_000, lastSeenAtMs: 2_000, provenAtMs: 3_000 }
  const account = {
    ...PLAIN,
    sub: `uid-${id}`,
    email: `${id}@example.co.jp`,
    name: 'ボブ',
    device: 'Firefox',
    address: '192.0.2.1',
  }
  return {
    key: `key-${id}`,
    id,
    ...account,
    ...times,
    isProvable: true,
    refresh: SEALED,
    ...changes,
  }
}

/** A session that was handed over from another one. */
export function childOf(parent: string, id: string): SessionRow {
  return rowOf(id, {
    parent: `key-${parent}`,
    sub: `uid-${parent}`,
    email: `${parent}@example.co.jp`,
    provenAtMs: 0,
  })
}

export const insert = (store: SessionStore, row: SessionRow, digest = row.id) =>
  store.sessions.insert(row, { digest, expiresAtMs: 9_000 })
export const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).sort()
