import { readFileSync, statSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UnavailableError } from '../../storage/unavailable-error.ts'
import { ALICE, BOB, createTestSessions, MINUTE, type TestSessions } from '../testing/test-sessions.ts'
import { sessionKeyOf } from './rows/session-key.ts'

let test: TestSessions
beforeEach(() => {
  test = createTestSessions()
})
afterEach(() => test[Symbol.asyncDispose]())

describe('sessions', () => {
  it('finds what it started, and nothing else', async () => {
    const token = await test.signIn()
    expect(await test.sessions.find(sessionKeyOf(token), { touch: true })).toMatchObject(ALICE)
    const other = token.slice(0, -1) + (token.endsWith('A') ? 'E' : 'A')
    expect([await test.isIn(other), await test.isIn('')]).toEqual([false, false])
  })

  it('keeps neither token nor refresh token readable on disk, and the file private', async () => {
    const token = await test.signIn()
    const bytes = readFileSync(test.file, 'latin1') + readFileSync(`${test.file}-wal`, 'latin1')
    expect(bytes).toContain(ALICE.email)
    expect(bytes).not.toContain(token)
    expect(bytes).not.toContain('refresh-secret')
    expect(statSync(test.file).mode & 0o077).toBe(0)
  })

  it('ends an idle session, and one that is used but too old', async () => {
    const idle = await test.signIn()
    const used = await test.signIn(BOB)
    for (let minute = 0; minute < 599; minute += 1) {
      test.nowMs += MINUTE
      await test.prove()
      expect(await test.sessions.find(sessionKeyOf(used), { touch: true })).not.toBeNull()
    }
    expect(await test.isIn(idle)).toBe(false)
    test.nowMs += MINUTE
    expect(await test.isIn(used)).toBe(false)
  })

  it('does not count polling as use', async () => {
    const token = await test.signIn()
    for (let minute = 0; minute < 60; minute += 1) {
      test.nowMs += MINUTE
      await test.prove()
      await test.sessions.find(sessionKeyOf(token), { touch: false })
    }
    expect(await test.isIn(token)).toBe(false)
  })

  it('50 exchanges an ID token once, also across a restart', async () => {
    await test.start(ALICE, 'same')
    expect((await test.start(ALICE, 'same')).kind).toBe('replayed')
    test.restart()
    expect((await test.start(ALICE, 'same')).kind).toBe('replayed')
  })

  it('48 binds an address to the account that first used it', async () => {
    await test.start(ALICE)
    const other = { ...ALICE, sub: 'uid-other', email: 'A@example.co.jp' }
    expect((await test.start(other)).kind).toBe('account_changed')
    expect(await test.store.operators.unbind(ALICE.email)).toBe(true)
    expect((await test.start(other)).kind).toBe('started')
  })

  it('ends the session unused longest when an account has too many', async () => {
    const tokens: string[] = []
    for (let n = 0; n < 26; n += 1) {
      test.nowMs += 1_000
      tokens.push(await test.signIn())
    }
    expect(await Promise.all(tokens.map(test.isIn))).toEqual([false, ...Array(25).fill(true)])
  })

  it('survives a restart with its last use', async () => {
    const token = await test.signIn()
    test.nowMs += 20 * MINUTE
    await test.sessions.find(sessionKeyOf(token), { touch: true })
    await test.sessions.synchronise()
    test.restart()
    test.nowMs += 15 * MINUTE
    expect(await test.sessions.find(sessionKeyOf(token), { touch: false })).toMatchObject({
      lastSeenAtMs: test.nowMs - 15 * MINUTE,
    })
  })

  it('applies what another process revokes, and says whom', async () => {
    const alice = await test.signIn()
    const bob = await test.signIn(BOB)
    const other = test.openStore()
    expect(await other.operators.revoke({ email: 'A@EXAMPLE.co.jp' }, test.nowMs)).toHaveLength(1)
    await other.close()
    expect(await test.sessions.synchronise()).toMatchObject([{ email: ALICE.email }])
    expect([await test.isIn(alice), await test.isIn(bob)]).toEqual([false, true])
    expect(await test.sessions.synchronise()).toEqual([])
  })

  it('49 revokes by id and all sessions', async () => {
    const alice = await test.signIn()
    const bob = await test.signIn(BOB)
    const found = await test.sessions.find(sessionKeyOf(alice), { touch: false })
    await test.store.operators.revoke({ id: found?.id ?? '' }, test.nowMs)
    test.restart()
    expect([await test.isIn(alice), await test.isIn(bob)]).toEqual([false, true])
    await test.store.operators.revoke({ everybody: true }, test.nowMs)
    test.restart()
    expect(await test.isIn(bob)).toBe(false)
  })

  it('76 serves nothing once revocations have been out of sight for long', async () => {
    const token = await test.signIn()
    await test.store.close()
    await expect(test.sessions.synchronise()).rejects.toThrow()
    expect(await test.isIn(token)).toBe(true)
    test.nowMs += 31_000
    await expect(test.isIn(token)).rejects.toThrow(UnavailableError)
    test.store = test.openStore()
  })

  it('76 ends a session for this process even when the disk refuses', async () => {
    const token = await test.signIn()
    await test.store.close()
    await expect(test.sessions.end(sessionKeyOf(token), 'one', 'policy')).rejects.toThrow()
    expect(await test.isIn(token)).toBe(false)
    test.store = test.openStore()
  })
})
