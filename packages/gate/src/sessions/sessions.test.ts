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

describe('a disk that refuses for a while', () => {
  let refuses = false
  const failing = (key: 'remove' | 'readAll') => {
    const real = store
    store = new Proxy(real, {
      get: (target, name) => (name === key ? refuse(target[key]) : target[name as keyof SessionStore]),
    })
    sessions = open()
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
    const token = tokenOf(signIn())
    refuses = true
    expect(() => sessions.endByToken(token, 'one')).toThrow()
    expect(() => sessions.endByToken(token, 'one')).toThrow() // asked again: still not on disk, so not done
    const other = openSessionStore(file())
    const row = { ...BOB, startedAtMs: nowMs, lastSeenAtMs: nowMs, provenAtMs: nowMs }
    other.insert(
      { ...row, key: 'b', id: 'b', refresh: new Uint8Array() },
      { digest: 'b', expiresAtMs: nowMs },
    )
    other.close() // a change by another process makes the table be read again
    expect(() => sessions.synchronise()).toThrow()
    expect(isIn(token)).toBe(false)
    refuses = false
    expect(sessions.endByToken(token, 'one')).toMatchObject([{ email: ALICE.email }])
    sessions = open()
    expect(isIn(token)).toBe(false)
  })

  it('53 ends on disk by itself what nobody asked for again', () => {
    failing('remove')
    const token = tokenOf(signIn())
    refuses = true
    expect(() => sessions.endByToken(token, 'account')).toThrow()
    refuses = false
    sessions.synchronise()
    sessions = open()
    expect(isIn(token)).toBe(false)
  })

  it('49 takes a revocation in as soon as it can be read', () => {
    failing('readAll')
    const token = tokenOf(signIn())
    const other = openSessionStore(file())
    other.revoke({ email: ALICE.email })
    other.close()
    refuses = true
    expect(() => sessions.synchronise()).toThrow()
    refuses = false
    sessions.synchronise()
    expect(isIn(token)).toBe(false)
  })
})

describe('a clock that jumps', () => {
  const MINUTES: Readonly<Record<string, number>> = { hour: 60, day: 1_440 }
  const jump = (count: number, unit: 'hour' | 'day') => {
    nowMs += count * (MINUTES[unit] ?? 0) * MINUTE
  }
  /** A session used for two days, proven all the while. */
  const twoDaysOld = () => {
    sessions = createSessions({
      store,
      seal: createSeal('s'.repeat(32)),
      limits: { ...LIMITS, absoluteMs: 7 * 1_440 * MINUTE },
      now: () => nowMs,
    })
    const token = tokenOf(signIn())
    for (let hour = 0; hour < 48; hour += 1) {
      nowMs += 59 * MINUTE
      for (const session of sessions.listDue()) sessions.markProven(session, 'r')
      sessions.find(token, { touch: true })
    }
    return token
  }

  it('forward ends what would be idle, for good', () => {
    const token = twoDaysOld()
    jump(1, 'day')
    expect(isIn(token)).toBe(false)
    sessions.synchronise()
    jump(-1, 'day')
    expect(isIn(token)).toBe(false)
  })

  it('back makes no session live longer: the idle limit counts from the new time', () => {
    const token = twoDaysOld()
    jump(-1, 'day')
    sessions.synchronise()
    expect(isIn(token)).toBe(true)
    nowMs += 59 * MINUTE
    for (const session of sessions.listDue()) sessions.markProven(session, 'r')
    expect(isIn(token)).toBe(true)
    nowMs += MINUTE
    expect(isIn(token)).toBe(false)
  })

  it('back makes an account be proven at once, and lengthens no grace', () => {
    const token = twoDaysOld()
    jump(-1, 'day')
    expect(sessions.listDue()).toHaveLength(1)
    sessions.synchronise()
    expect(sessions.listDue()).toHaveLength(1)
    nowMs += 30 * MINUTE
    expect(isIn(token)).toBe(true)
    nowMs += MINUTE
    expect(() => isIn(token)).toThrow(UnavailableError)
  })

  it('back behind the sign-in lets nobody in who signed in later, and deletes nothing', () => {
    const token = twoDaysOld()
    jump(-3, 'day')
    expect(isIn(token)).toBe(false)
    sessions.synchronise()
    jump(3, 'day')
    for (const session of sessions.listDue()) sessions.markProven(session, 'r')
    expect(isIn(token)).toBe(true)
  })

  it('by seconds, as a time server corrects it, changes nothing', () => {
    const token = tokenOf(signIn())
    nowMs -= 5_000
    sessions.synchronise()
    expect(isIn(token)).toBe(true)
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

  it('asks nothing while nobody is due', async () => {
    signIn()
    await run(() => {
      throw new Error('asked')
    })
  })
})
