import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSeal } from '../sessions/rows/seal.ts'
import type { Identity, SessionLimits } from '../sessions/rows/session.ts'
import { sessionKeyOf } from '../sessions/rows/session-key.ts'
import type { SessionStore } from '../sessions/rows/session-store.ts'
import type { StartResult } from '../sessions/session-start.ts'
import { createSessions, type Sessions } from '../sessions/sessions.ts'
import { openSqliteSessions } from '../sessions/sqlite/sqlite-sessions.ts'

export const MINUTE = 60_000
export const LIMITS: SessionLimits = {
  idleMs: 60 * MINUTE,
  absoluteMs: 600 * MINUTE,
  revalidationIntervalMs: 5 * MINUTE,
  revalidationGraceMs: 30 * MINUTE,
}
export const HOUR_MS = 60 * MINUTE
/** Limits that nothing reaches within an hour. */
export const HOUR_LIMITS = {
  idleMs: HOUR_MS,
  absoluteMs: HOUR_MS,
  revalidationIntervalMs: HOUR_MS,
  revalidationGraceMs: HOUR_MS,
}
/** An issuer's plain statement on an account: its address is its own. */
export const PLAIN = {
  issuer: 'https://issuer.test/a',
  sid: null,
  vouched: { address: true, groups: [], hasAllGroups: true },
}
export const ALICE: Identity = { ...PLAIN, sub: 'uid-a', email: 'a@example.co.jp', name: null }
export const BOB: Identity = { ...PLAIN, sub: 'uid-b', email: 'b@example.co.jp', name: 'ボブ' }

/** Sessions over a real store in a folder of their own, with a clock and a store that the test holds in its hands. */
export interface TestSessions extends AsyncDisposable {
  nowMs: number
  store: SessionStore
  readonly sessions: Sessions
  /** The database file. */
  readonly file: string
  /** Opens the sessions again on what the store holds, as the next process would. */
  restart(limits?: SessionLimits): void
  start(identity?: Identity, digest?: string): Promise<StartResult>
  /** Starts a session that must be granted and returns its token. */
  signIn(identity?: Identity): Promise<string>
  readonly isIn: (token: string) => Promise<boolean>
  /** The store once more, as another process would open it. */
  openStore(): SessionStore
  /** Proves every account that is due, as the maintenance would. */
  prove(): Promise<void>
}

export function createTestSessions(): TestSessions {
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-sessions-'))
  const file = join(folder, 'sessions.db')
  let sessions: Sessions
  let started = 0
  const openStore = () => openSqliteSessions(file, { context: null, elapsed: () => test.nowMs })
  const test: TestSessions = {
    nowMs: Date.parse('2026-11-21T00:00:00Z'),
    store: openStore(),
    openStore,
    file,
    get sessions() {
      return sessions
    },
    restart(limits = LIMITS) {
      sessions = createSessions({
        store: test.store,
        seal: createSeal('s'.repeat(32)),
        limits,
        now: () => test.nowMs,
        elapsed: () => test.nowMs,
      })
    },
    start(identity = ALICE, digest = `digest-${++started}`) {
      const spent = { digest, expiresAtMs: test.nowMs + 60 * MINUTE }
      return sessions.start({
        identity,
        refreshToken: 'refresh-secret',
        spent,
        device: 'Firefox / Windows',
        address: '192.0.2.1',
      })
    },
    async signIn(identity) {
      const result = await test.start(identity)
      if (result.kind !== 'started') throw new Error(result.kind)
      return result.token
    },
    isIn: async (token) => (await sessions.find(sessionKeyOf(token), { touch: false })) !== null,
    async prove() {
      for (const session of (await sessions.listDue()).due) sessions.markProven(session, 'r', session)
    },
    async [Symbol.asyncDispose]() {
      await test.store.close()
      rmSync(folder, { recursive: true })
    },
  }
  test.restart()
  return test
}
