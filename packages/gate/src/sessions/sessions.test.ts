import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UnavailableError } from '../http/boundary.ts'
import type { IdentityService, Reproof } from '../identity/identity.ts'
import { reproveDue } from './reproof.ts'
import { createSeal } from './seal.ts'
import { openSessionStore, type SessionStore } from './session-store.ts'
import { createSessions, type Sessions } from './sessions.ts'

const MINUTE = 60_000
const LIMITS = {
  idleMs: 60 * MINUTE,
  absoluteMs: 600 * MINUTE,
  reproofIntervalMs: 5 * MINUTE,
  reproofGraceMs: 30 * MINUTE,
}
const ALICE = { sub: 'uid-a', email: 'a@example.co.jp', name: null }
const BOB = { sub: 'uid-b', email: 'b@example.co.jp', name: 'ボブ' }

let folder: string
let nowMs: number
let store: SessionStore
let sessions: Sessions
let counter = 0

const file = () => join(folder, 'sessions.db')
const open = () =>
  createSessions({ store, seal: createSeal('s'.repeat(32)), limits: LIMITS, now: () => nowMs })

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sekisho-sessions-'))
  nowMs = Date.parse('2026-11-21T00:00:00Z')
  store = openSessionStore(file())
  sessions = open()
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true })
})

function signIn(identity = ALICE as typeof ALICE | typeof BOB, digest = `digest-${++counter}`) {
  const spent = { digest, expiresAtMs: nowMs + 60 * MINUTE }
  return sessions.start({ identity, refreshToken: 'refresh-secret', spent })
}
function tokenOf(result: ReturnType<typeof signIn>): string {
  if (result.kind !== 'started') throw new Error(result.kind)
  return result.token
}
const isIn = (token: string) => sessions.find(token, { touch: false }) !== null

describe('sessions', () => {
  it('finds what it started, and nothing else', () => {
    const token = tokenOf(signIn())
    expect(sessions.find(token, { touch: true })?.email).toBe(ALICE.email)
    expect(isIn(`${token.slice(0, -1)}A`) && isIn('')).toBe(false)
  })

  it('keeps neither token nor refresh token readable on disk, and the file private', () => {
    const token = tokenOf(signIn())
    const bytes = readFileSync(file(), 'latin1') + readFileSync(`${file()}-wal`, 'latin1')
    expect(bytes).toContain(ALICE.email)
    expect(bytes).not.toContain(token)
    expect(bytes).not.toContain('refresh-secret')
    expect(statSync(file()).mode & 0o077).toBe(0)
  })

  it('ends an idle session, and one that is used but too old', () => {
    const idle = tokenOf(signIn())
    const used = tokenOf(signIn(BOB))
    for (let minute = 0; minute < 599; minute += 1) {
      nowMs += MINUTE
      for (const session of sessions.listDue()) sessions.markProven(session, 'r')
      expect(sessions.find(used, { touch: true })).not.toBeNull()
    }
    expect(isIn(idle)).toBe(false)
    nowMs += MINUTE
    expect(isIn(used)).toBe(false)
  })

  it('does not count polling as use', () => {
    const token = tokenOf(signIn())
    for (let minute = 0; minute < 60; minute += 1) {
      nowMs += MINUTE
      for (const session of sessions.listDue()) sessions.markProven(session, 'r')
      sessions.find(token, { touch: false })
    }
    expect(isIn(token)).toBe(false)
  })

  it('50 exchanges an ID token once, also across a restart', () => {
    signIn(ALICE, 'same')
    expect(signIn(ALICE, 'same').kind).toBe('replayed')
    sessions = open()
    expect(signIn(ALICE, 'same').kind).toBe('replayed')
  })

  it('48 binds an address to the account that first used it', () => {
    signIn(ALICE)
    const other = { ...ALICE, sub: 'uid-other', email: 'A@example.co.jp' }
    expect(signIn(other).kind).toBe('account_changed')
    expect(store.unbind(ALICE.email)).toBe(true)
    expect(signIn(other).kind).toBe('started')
  })

  it('ends the session unused longest when an account has too many', () => {
    const tokens = Array.from({ length: 26 }, () => {
      nowMs += 1_000
      return tokenOf(signIn())
    })
    expect(tokens.map(isIn)).toEqual([false, ...Array(25).fill(true)])
  })

  it('survives a restart with its last use', () => {
    const token = tokenOf(signIn())
    nowMs += 20 * MINUTE
    sessions.find(token, { touch: true })
    sessions.synchronise()
    sessions = open()
    nowMs += 15 * MINUTE
    expect(sessions.find(token, { touch: false })?.lastSeenAtMs).toBe(nowMs - 15 * MINUTE)
  })

  it('takes in what another process revokes, and says whom', () => {
    const alice = tokenOf(signIn())
    const bob = tokenOf(signIn(BOB))
    const other = openSessionStore(file())
    expect(other.revoke({ email: 'A@EXAMPLE.co.jp' })).toHaveLength(1)
    other.close()
    expect(sessions.synchronise().revoked).toMatchObject([{ email: ALICE.email }])
    expect([isIn(alice), isIn(bob)]).toEqual([false, true])
    expect(sessions.synchronise().revoked).toEqual([])
  })

  it('49 revokes by id and everybody', () => {
    const alice = signIn()
    const bob = tokenOf(signIn(BOB))
    store.revoke({ id: alice.kind === 'started' ? alice.session.id : '' })
    sessions = open()
    expect([isIn(tokenOf(alice)), isIn(bob)]).toEqual([false, true])
    store.revoke({ everybody: true })
    sessions = open()
    expect(isIn(bob)).toBe(false)
  })

  it('76 serves nobody once revocations have been out of sight for long', () => {
    const token = tokenOf(signIn())
    store.close()
    expect(() => sessions.synchronise()).toThrow()
    expect(isIn(token)).toBe(true)
    nowMs += 31_000
    expect(() => isIn(token)).toThrow(UnavailableError)
    store = openSessionStore(file())
  })

  it('76 ends a session for this process even when the disk refuses', () => {
    const result = signIn()
    const token = tokenOf(result)
    store.close()
    if (result.kind === 'started') expect(() => sessions.end(result.session, 'one')).toThrow()
    expect(isIn(token)).toBe(false)
    store = openSessionStore(file())
  })
})

describe('reproveDue', () => {
  const ended: string[] = []
  const run = async (answer: Reproof | ((token: string) => Reproof)) => {
    const reprove: IdentityService['reprove'] = async (token) =>
      typeof answer === 'function' ? answer(token) : answer
    const verify: IdentityService['verify'] = async () => ({ ok: false, reason: 'malformed' })
    ended.length = 0
    await reproveDue({
      sessions,
      identity: { verify, reprove },
      onEnded: (session, reason) => ended.push(`${session.email} ${reason}`),
      onUnavailable: () => {},
    })
  }
  const proven: Reproof = { kind: 'proven', identity: ALICE, refreshToken: 'refresh-2' }

  it('49 ends every session of a disabled account within the interval', async () => {
    const tokens = [tokenOf(signIn()), tokenOf(signIn())]
    nowMs += 4 * MINUTE
    await run({ kind: 'gone', reason: 'USER_DISABLED' })
    expect(tokens.map(isIn)).toEqual([false, false])
    expect(ended).toHaveLength(2)
  })

  it('ends one session when only its refresh token is gone', async () => {
    const first = tokenOf(signIn())
    nowMs += 4 * MINUTE
    const second = tokenOf(signIn())
    await run({ kind: 'gone', reason: 'TOKEN_EXPIRED' })
    expect([isIn(first), isIn(second)]).toEqual([false, true])
  })

  it.each([
    ['the refresh token of somebody else', { ...proven, identity: BOB }],
    ['another account under the same address', { ...proven, identity: { ...ALICE, sub: 'uid-other' } }],
    ['an address that changed', { ...proven, identity: { ...ALICE, email: 'new@example.co.jp' } }],
  ])('48 ends a session on %s', async (_row, answer) => {
    const token = tokenOf(signIn())
    nowMs += 5 * MINUTE
    await run(answer)
    expect(isIn(token)).toBe(false)
  })

  it('54 keeps a session through an outage for the stated grace, then fails closed, then recovers', async () => {
    const token = tokenOf(signIn())
    nowMs += 34 * MINUTE
    await run({ kind: 'unavailable', reason: 'down' })
    expect(isIn(token)).toBe(true)
    nowMs += 2 * MINUTE
    expect(() => isIn(token)).toThrow(UnavailableError)
    await run(proven)
    expect(isIn(token)).toBe(true)
  })

  it('uses and keeps the newest refresh token', async () => {
    signIn()
    const seen: string[] = []
    for (let round = 0; round < 2; round += 1) {
      nowMs += 5 * MINUTE
      await run((token) => {
        seen.push(token)
        return proven
      })
    }
    expect(seen).toEqual(['refresh-secret', 'refresh-2'])
  })

  it('asks at once when the clock was set back', async () => {
    signIn()
    nowMs -= 60 * MINUTE
    await run(proven)
    expect(sessions.listDue()).toEqual([])
    nowMs += 4 * MINUTE
    expect(sessions.listDue()).toHaveLength(1)
  })

  it('asks nothing while nobody is due', async () => {
    signIn()
    await run(() => {
      throw new Error('asked')
    })
  })
})
