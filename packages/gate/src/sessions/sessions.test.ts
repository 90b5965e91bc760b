import { readFileSync, statSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UnavailableError } from '../http/boundary.ts'
import { ALICE, BOB, createTestSessions, MINUTE, type TestSessions } from '../testing/test-sessions.ts'
import { sessionKeyOf } from './session-key.ts'
import { openSessionStore } from './session-store.ts'

let test: TestSessions
beforeEach(() => {
  test = createTestSessions()
})
afterEach(() => test[Symbol.dispose]())

describe('sessions', () => {
  it('finds what it started, and nothing else', () => {
    const token = test.signIn()
    expect(test.sessions.find(sessionKeyOf(token), { touch: true })?.email).toBe(ALICE.email)
    expect(test.isIn(`${token.slice(0, -1)}A`) && test.isIn('')).toBe(false)
  })

  it('keeps neither token nor refresh token readable on disk, and the file private', () => {
    const token = test.signIn()
    const bytes = readFileSync(test.file, 'latin1') + readFileSync(`${test.file}-wal`, 'latin1')
    expect(bytes).toContain(ALICE.email)
    expect(bytes).not.toContain(token)
    expect(bytes).not.toContain('refresh-secret')
    expect(statSync(test.file).mode & 0o077).toBe(0)
  })

  it('ends an idle session, and one that is used but too old', () => {
    const idle = test.signIn()
    const used = test.signIn(BOB)
    for (let minute = 0; minute < 599; minute += 1) {
      test.nowMs += MINUTE
      test.prove()
      expect(test.sessions.find(sessionKeyOf(used), { touch: true })).not.toBeNull()
    }
    expect(test.isIn(idle)).toBe(false)
    test.nowMs += MINUTE
    expect(test.isIn(used)).toBe(false)
  })

  it('does not count polling as use', () => {
    const token = test.signIn()
    for (let minute = 0; minute < 60; minute += 1) {
      test.nowMs += MINUTE
      test.prove()
      test.sessions.find(sessionKeyOf(token), { touch: false })
    }
    expect(test.isIn(token)).toBe(false)
  })

  it('50 exchanges an ID token once, also across a restart', () => {
    test.start(ALICE, 'same')
    expect(test.start(ALICE, 'same').kind).toBe('replayed')
    test.restart()
    expect(test.start(ALICE, 'same').kind).toBe('replayed')
  })

  it('48 binds an address to the account that first used it', () => {
    test.start(ALICE)
    const other = { ...ALICE, sub: 'uid-other', email: 'A@example.co.jp' }
    expect(test.start(other).kind).toBe('account_changed')
    expect(test.store.unbind(ALICE.email)).toBe(true)
    expect(test.start(other).kind).toBe('started')
  })

  it('ends the session unused longest when an account has too many', () => {
    const tokens = Array.from({ length: 26 }, () => {
      test.nowMs += 1_000
      return test.signIn()
    })
    expect(tokens.map(test.isIn)).toEqual([false, ...Array(25).fill(true)])
  })

  it('survives a restart with its last use', () => {
    const token = test.signIn()
    test.nowMs += 20 * MINUTE
    test.sessions.find(sessionKeyOf(token), { touch: true })
    test.sessions.synchronise()
    test.restart()
    test.nowMs += 15 * MINUTE
    expect(test.sessions.find(sessionKeyOf(token), { touch: false })?.lastSeenAtMs).toBe(
      test.nowMs - 15 * MINUTE,
    )
  })

  it('applies what another process revokes, and says whom', () => {
    const alice = test.signIn()
    const bob = test.signIn(BOB)
    const other = openSessionStore(test.file)
    expect(other.revoke({ email: 'A@EXAMPLE.co.jp' }, test.nowMs)).toHaveLength(1)
    other.close()
    expect(test.sessions.synchronise().revoked).toMatchObject([{ email: ALICE.email }])
    expect([test.isIn(alice), test.isIn(bob)]).toEqual([false, true])
    expect(test.sessions.synchronise().revoked).toEqual([])
  })

  it('49 revokes by id and everybody', () => {
    const alice = test.signIn()
    const bob = test.signIn(BOB)
    test.store.revoke({ id: test.sessions.find(sessionKeyOf(alice), { touch: false })?.id ?? '' }, test.nowMs)
    test.restart()
    expect([test.isIn(alice), test.isIn(bob)]).toEqual([false, true])
    test.store.revoke({ everybody: true }, test.nowMs)
    test.restart()
    expect(test.isIn(bob)).toBe(false)
  })

  it('76 serves nobody once revocations have been out of sight for long', () => {
    const token = test.signIn()
    test.store.close()
    expect(() => test.sessions.synchronise()).toThrow()
    expect(test.isIn(token)).toBe(true)
    test.nowMs += 31_000
    expect(() => test.isIn(token)).toThrow(UnavailableError)
    test.store = openSessionStore(test.file)
  })

  it('76 ends a session for this process even when the disk refuses', () => {
    const token = test.signIn()
    const session = test.sessions.find(sessionKeyOf(token), { touch: false })
    test.store.close()
    expect(() => session !== null && test.sessions.end(session, 'one', 'policy')).toThrow()
    expect(test.isIn(token)).toBe(false)
    test.store = openSessionStore(test.file)
  })
})
