import { copyFileSync, linkSync, renameSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UnavailableError } from '../http/boundary.ts'
import {
  ALICE,
  BOB,
  createTestSessions,
  LIMITS,
  MINUTE,
  type TestSessions,
} from '../testing/test-sessions.ts'
import { sessionKeyOf } from './session-key.ts'
import { openSessionStore, type SessionStore, StoreReplacedError } from './session-store.ts'

let test: TestSessions
beforeEach(() => {
  test = createTestSessions()
})
afterEach(() => test[Symbol.dispose]())

describe('a disk that refuses for a while', () => {
  let refuses = false
  const failing = (key: 'remove' | 'readAll') => {
    const real = test.store
    test.store = new Proxy(real, {
      get: (target, name) => (name === key ? refuse(target[key]) : target[name as keyof SessionStore]),
    })
    test.restart()
  }
  const refuse = (real: (...args: never[]) => unknown) => {
    return (...args: never[]) => {
      if (refuses) throw new Error('disk I/O error')
      return real(...args)
    }
  }
  afterEach(() => {
    refuses = false
  })

  it('53 says so of a sign-out, and never brings the session back', () => {
    failing('remove')
    const token = test.signIn()
    refuses = true
    expect(() => test.sessions.endByKey(sessionKeyOf(token), 'one')).toThrow()
    expect(() => test.sessions.endByKey(sessionKeyOf(token), 'one')).toThrow() // asked again: still not on disk, so not done
    const other = openSessionStore(test.file)
    const row = {
      ...BOB,
      device: '',
      address: '',
      startedAtMs: test.nowMs,
      lastSeenAtMs: test.nowMs,
      provenAtMs: test.nowMs,
    }
    other.insert(
      { ...row, key: 'b', id: 'b', refresh: new Uint8Array() },
      { digest: 'b', expiresAtMs: test.nowMs },
    )
    other.close() // a change by another process makes the table be read again
    expect(() => test.sessions.synchronise()).toThrow()
    expect(test.isIn(token)).toBe(false)
    refuses = false
    expect(test.sessions.endByKey(sessionKeyOf(token), 'one')).toMatchObject([{ email: ALICE.email }])
    test.restart()
    expect(test.isIn(token)).toBe(false)
  })

  it('53 ends on disk by itself what nobody asked for again', () => {
    failing('remove')
    const token = test.signIn()
    refuses = true
    expect(() => test.sessions.endByKey(sessionKeyOf(token), 'account')).toThrow()
    refuses = false
    test.sessions.synchronise()
    test.restart()
    expect(test.isIn(token)).toBe(false)
  })

  it('49 takes a revocation in as soon as it can be read', () => {
    failing('readAll')
    const token = test.signIn()
    const other = openSessionStore(test.file)
    other.revoke({ email: ALICE.email }, test.nowMs)
    other.close()
    refuses = true
    expect(() => test.sessions.synchronise()).toThrow()
    refuses = false
    test.sessions.synchronise()
    expect(test.isIn(token)).toBe(false)
  })
})

describe('a database that is no longer the one that was opened', () => {
  it.each([
    ['deleted', () => rmSync(test.file)],
    [
      'replaced by a copy',
      () => {
        copyFileSync(test.file, `${test.file}.copy`)
        renameSync(`${test.file}.copy`, test.file)
      },
    ],
  ])('%s closes the gate until it is back, and nobody signs in or out without a trace', (_row, change) => {
    const token = test.signIn()
    linkSync(test.file, `${test.file}.kept`)
    change()
    expect(() => test.start(BOB)).toThrow(StoreReplacedError)
    expect(() => test.sessions.synchronise()).toThrow(StoreReplacedError)
    expect(() => test.isIn(token)).toThrow(UnavailableError)
    renameSync(`${test.file}.kept`, test.file)
    test.sessions.synchronise()
    expect(test.isIn(token)).toBe(true)
  })
})

describe('a clock that jumps', () => {
  const MINUTES: Readonly<Record<string, number>> = { hour: 60, day: 1_440 }
  const jump = (count: number, unit: 'hour' | 'day') => {
    test.nowMs += count * (MINUTES[unit] ?? 0) * MINUTE
  }
  /** A session used for two days, proven all the while. */
  const twoDaysOld = () => {
    test.restart({ ...LIMITS, absoluteMs: 7 * 1_440 * MINUTE })
    const token = test.signIn()
    for (let hour = 0; hour < 48; hour += 1) {
      test.nowMs += 59 * MINUTE
      test.prove()
      test.sessions.find(sessionKeyOf(token), { touch: true })
    }
    return token
  }

  it('forward ends what would be idle, for good', () => {
    const token = twoDaysOld()
    jump(1, 'day')
    expect(test.isIn(token)).toBe(false)
    test.sessions.synchronise()
    jump(-1, 'day')
    expect(test.isIn(token)).toBe(false)
  })

  it('back makes no session live longer: the idle limit counts from the new time', () => {
    const token = twoDaysOld()
    jump(-1, 'day')
    test.sessions.synchronise()
    expect(test.isIn(token)).toBe(true)
    test.nowMs += 59 * MINUTE
    test.prove()
    expect(test.isIn(token)).toBe(true)
    test.nowMs += MINUTE
    expect(test.isIn(token)).toBe(false)
  })

  it('back makes an account be proven at once, and lengthens no grace', () => {
    const token = twoDaysOld()
    jump(-1, 'day')
    expect(test.sessions.listDue()).toHaveLength(1)
    test.sessions.synchronise()
    expect(test.sessions.listDue()).toHaveLength(1)
    test.nowMs += 30 * MINUTE
    expect(test.isIn(token)).toBe(true)
    test.nowMs += MINUTE
    expect(() => test.isIn(token)).toThrow(UnavailableError)
  })

  it('back behind the sign-in lets nobody in who signed in later, and deletes nothing', () => {
    const token = twoDaysOld()
    jump(-3, 'day')
    expect(test.isIn(token)).toBe(false)
    test.sessions.synchronise()
    jump(3, 'day')
    test.prove()
    expect(test.isIn(token)).toBe(true)
  })

  it('by seconds, as a time server corrects it, changes nothing', () => {
    const token = test.signIn()
    test.nowMs -= 5_000
    test.sessions.synchronise()
    expect(test.isIn(token)).toBe(true)
  })
})
