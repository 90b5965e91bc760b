import { copyFileSync, linkSync, renameSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UnavailableError } from '../../storage/unavailable-error.ts'
import {
  ALICE,
  BOB,
  createTestSessions,
  LIMITS,
  MINUTE,
  type TestSessions,
} from '../testing/test-sessions.ts'
import { sessionKeyOf } from './rows/session-key.ts'
import type { SessionStore } from './rows/session-store.ts'
import { StoreReplacedError } from './sqlite/connection.ts'

let test: TestSessions
beforeEach(() => {
  test = createTestSessions()
})
afterEach(() => test[Symbol.asyncDispose]())

describe('a disk that refuses for a while', () => {
  let refuses = false
  const refuse = <Args extends readonly unknown[], Result>(real: (...args: Args) => Promise<Result>) => {
    return async (...args: Args) => {
      if (refuses) throw new Error('disk I/O error')
      return real(...args)
    }
  }
  const failing = (part: 'ends' | 'changes') => {
    const { ends, changes } = test.store
    const broken: Partial<SessionStore> =
      part === 'ends'
        ? { ends: { ...ends, remove: refuse(ends.remove) } }
        : { changes: { ...changes, takeRevocations: refuse(changes.takeRevocations) } }
    test.store = { ...test.store, ...broken }
    test.restart()
  }
  afterEach(() => {
    refuses = false
  })

  it('53 says so of a sign-out, and never brings the session back', async () => {
    failing('ends')
    const token = await test.signIn()
    refuses = true
    await expect(test.sessions.signOut(sessionKeyOf(token), 'one')).rejects.toThrow()
    await expect(test.sessions.signOut(sessionKeyOf(token), 'one')).rejects.toThrow() // asked again: still not on disk, so not done
    const other = test.openStore()
    const times = { startedAtMs: test.nowMs, lastSeenAtMs: test.nowMs, provenAtMs: test.nowMs }
    const row = { ...BOB, device: '', address: '', isProvable: false, ...times }
    await other.sessions.insert(
      { ...row, key: 'b', id: 'b', refresh: new Uint8Array() },
      { digest: 'b', expiresAtMs: test.nowMs },
    )
    await other.close() // a change by another process makes the table be read again
    await expect(test.sessions.synchronise()).rejects.toThrow()
    expect(await test.isIn(token)).toBe(false)
    refuses = false
    expect(await test.sessions.signOut(sessionKeyOf(token), 'one')).toMatchObject([{ email: ALICE.email }])
    test.restart()
    expect(await test.isIn(token)).toBe(false)
  })

  it('53 ends unused sessions on disk by itself', async () => {
    failing('ends')
    const token = await test.signIn()
    refuses = true
    await expect(test.sessions.signOut(sessionKeyOf(token), 'account')).rejects.toThrow()
    refuses = false
    await test.sessions.synchronise()
    test.restart()
    expect(await test.isIn(token)).toBe(false)
  })

  it('49 takes a revocation in as soon as it can be read', async () => {
    failing('changes')
    const token = await test.signIn()
    const other = test.openStore()
    await other.operators.revoke({ email: ALICE.email }, test.nowMs)
    await other.close()
    refuses = true
    await expect(test.sessions.synchronise()).rejects.toThrow()
    refuses = false
    await test.sessions.synchronise()
    expect(await test.isIn(token)).toBe(false)
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
  ])(
    '%s closes the gate until it is back, and nobody signs in or out without a trace',
    async (_row, change) => {
      const token = await test.signIn()
      linkSync(test.file, `${test.file}.kept`)
      change()
      await expect(test.start(BOB)).rejects.toThrow(StoreReplacedError)
      await expect(test.sessions.synchronise()).rejects.toThrow(StoreReplacedError)
      await expect(test.isIn(token)).rejects.toThrow(UnavailableError)
      renameSync(`${test.file}.kept`, test.file)
      await test.sessions.synchronise()
      expect(await test.isIn(token)).toBe(true)
    },
  )
})

describe('a clock that jumps', () => {
  const MINUTES: Readonly<Record<string, number>> = { hour: 60, day: 1_440 }
  const jump = (count: number, unit: 'hour' | 'day') => {
    test.nowMs += count * (MINUTES[unit] ?? 0) * MINUTE
  }
  /** A session used for two days, proven all the while. */
  const twoDaysOld = async () => {
    test.restart({ ...LIMITS, absoluteMs: 7 * 1_440 * MINUTE })
    const token = await test.signIn()
    for (let hour = 0; hour < 48; hour += 1) {
      test.nowMs += 59 * MINUTE
      await test.prove()
      await test.sessions.find(sessionKeyOf(token), { touch: true })
    }
    return token
  }

  it('forward ends what would be idle, for good', async () => {
    const token = await twoDaysOld()
    jump(1, 'day')
    expect(await test.isIn(token)).toBe(false)
    await test.sessions.tidy()
    jump(-1, 'day')
    expect(await test.isIn(token)).toBe(false)
  })

  it('back makes no session live longer: the idle limit counts from the new time', async () => {
    const token = await twoDaysOld()
    jump(-1, 'day')
    await test.sessions.synchronise()
    expect(await test.isIn(token)).toBe(true)
    test.nowMs += 59 * MINUTE
    await test.prove()
    expect(await test.isIn(token)).toBe(true)
    test.nowMs += MINUTE
    expect(await test.isIn(token)).toBe(false)
  })

  it('back makes an account be proven at once, and lengthens no grace', async () => {
    const token = await twoDaysOld()
    jump(-1, 'day')
    expect((await test.sessions.listDue()).due).toHaveLength(1)
    await test.sessions.synchronise()
    expect((await test.sessions.listDue()).due).toHaveLength(1)
    test.nowMs += 30 * MINUTE
    expect(await test.isIn(token)).toBe(true)
    test.nowMs += MINUTE
    await expect(test.isIn(token)).rejects.toThrow(UnavailableError)
  })

  it('back behind the sign-in neither serves nor signs out who signed in later, and deletes nothing', async () => {
    const token = await twoDaysOld()
    jump(-3, 'day')
    await expect(test.isIn(token)).rejects.toThrow(UnavailableError)
    await test.sessions.synchronise()
    jump(3, 'day')
    await test.prove()
    expect(await test.isIn(token)).toBe(true)
  })

  it('back by ten minutes refuses a session of five minutes ago, from memory too, while it is so', async () => {
    const token = await test.signIn()
    test.nowMs += 5 * MINUTE
    expect(await test.isIn(token)).toBe(true)
    test.nowMs -= 11 * MINUTE
    await expect(test.isIn(token)).rejects.toThrow(UnavailableError)
    await expect(test.sessions.synchronise()).resolves.toEqual([])
    await expect(test.isIn(token)).rejects.toThrow(UnavailableError)
    test.nowMs += 11 * MINUTE
    expect(await test.isIn(token)).toBe(true)
  })

  it('by seconds, as a time server corrects it, changes nothing', async () => {
    const token = await test.signIn()
    test.nowMs -= 5_000
    await test.sessions.synchronise()
    expect(await test.isIn(token)).toBe(true)
  })
})
