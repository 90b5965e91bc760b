import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SessionRow } from '../sessions/session.ts'
import { MAX_ROWS, type SessionContext, type SessionStore } from '../sessions/session-store.ts'

/** A store that tests open as often as gates and operators would. */
export interface StoreUnderTest extends AsyncDisposable {
  open(context: SessionContext | null): Promise<SessionStore>
}

const OWN: SessionContext = { issuer: 'https://issuer.test/a', projectId: 'a', origin: 'https://portal.test' }
const OTHERS: readonly (readonly [row: string, context: SessionContext])[] = [
  ['a local gate', { issuer: 'local', projectId: 'demo-sekisho', origin: 'http://localhost:3000' }],
  ['another issuer', { ...OWN, issuer: 'https://issuer.test/b' }],
  ['another project', { ...OWN, projectId: 'b' }],
  ['another origin', { ...OWN, origin: 'https://other.test' }],
]

function rowOf(id: string, changes: Partial<SessionRow> = {}): SessionRow {
  const times = { startedAtMs: 1_000, lastSeenAtMs: 2_000, provenAtMs: 3_000 }
  const account = {
    sub: `uid-${id}`,
    email: `${id}@example.co.jp`,
    name: 'ボブ',
    device: 'Firefox',
    address: '192.0.2.1',
  }
  return { key: `key-${id}`, id, ...account, ...times, refresh: new Uint8Array([0, 1, 255]), ...changes }
}
const insert = (store: SessionStore, row: SessionRow, digest = row.id) =>
  store.insert(row, { digest, expiresAtMs: 9_000 })
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).sort()

/** What every store of sessions, spent tokens and bound accounts does. */
export function describeSessionStore(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(`${name} as a store of sessions`, () => {
    let test: StoreUnderTest
    let store: SessionStore
    const opened: SessionStore[] = []
    const open = async (context: SessionContext | null) => {
      const one = await test.open(context)
      opened.push(one)
      return one
    }
    beforeEach(async () => {
      test = await create()
      store = await open(OWN)
    })
    afterEach(async () => {
      for (const one of opened.splice(0)) await one.close()
      await test[Symbol.asyncDispose]()
    })

    it('finds what was inserted, byte for byte, and nothing else', async () => {
      expect(await insert(store, rowOf('a'))).toBe('inserted')
      expect(await insert(store, rowOf('b', { name: null }))).toBe('inserted')
      const found = await store.find('key-a')
      expect({ ...found, refresh: [...(found?.refresh ?? [])] }).toEqual({
        ...rowOf('a'),
        refresh: [0, 1, 255],
      })
      expect((await store.find('key-b'))?.name).toBeNull()
      expect(await store.find('key-c')).toBeNull()
    })

    it('50 spends a token once, also when two gates are asked at the same moment', async () => {
      const other = await open(OWN)
      const results = await Promise.all([
        insert(store, rowOf('a'), 'same'),
        insert(other, rowOf('b'), 'same'),
      ])
      expect(results.sort()).toEqual(['inserted', 'replayed'])
      await store.forgetSpent(9_000)
      expect(await insert(store, rowOf('c'), 'same')).toBe('replayed')
      await store.forgetSpent(9_001)
      expect(await insert(store, rowOf('c'), 'same')).toBe('inserted')
    })

    it('48 binds an address to one account, whatever its case, until it is unbound', async () => {
      const other = { sub: 'uid-other', email: 'A@example.co.jp' }
      expect(await insert(store, rowOf('a'))).toBe('inserted')
      expect(await insert(store, rowOf('b', other))).toBe('account_changed')
      expect(await store.find('key-b')).toBeNull()
      const operator = await open(null)
      expect(await operator.unbind('a@EXAMPLE.co.jp')).toBe(true)
      expect(await operator.unbind('a@example.co.jp')).toBe(false)
      expect(await insert(store, rowOf('c', other))).toBe('inserted')
    })

    it.each(OTHERS)(
      '55 shows nobody a session of %s, nor does its account hold an address',
      async (_row, context) => {
        const theirs = await open(context)
        expect(await insert(theirs, rowOf('a'))).toBe('inserted')
        expect(await store.find('key-a')).toBeNull()
        expect(await store.ofAccount('uid-a')).toEqual([])
        expect(await store.listDue(9_000, null)).toEqual([])
        expect(await store.removeExpired({ startedMs: 9_000, seenMs: 9_000 }, 9_000)).toEqual([])
        expect(await store.count()).toEqual({ sessions: 0, oldestProofAtMs: null })
        expect(await insert(store, rowOf('b', { email: 'a@example.co.jp' }))).toBe('inserted')
        expect(idsOf(await store.list())).toEqual(['b'])
        const operator = await open(null)
        expect(idsOf(await operator.list())).toEqual(['a', 'b'])
        expect(idsOf(await operator.revoke({ everybody: true }, 9_000))).toEqual(['a', 'b'])
      },
    )

    it('lists the sessions of an account, and counts them all', async () => {
      for (const id of ['a', 'b']) await insert(store, rowOf(id, { sub: 'uid', email: 'u@example.co.jp' }))
      await insert(store, rowOf('c', { provenAtMs: 2_500 }))
      expect(idsOf(await store.ofAccount('uid'))).toEqual(['a', 'b'])
      expect(await store.count()).toEqual({ sessions: 3, oldestProofAtMs: 2_500 })
    })

    it('never sets a last use back, and lets only the first of two proofs count', async () => {
      await insert(store, rowOf('a'))
      await store.markSeen([{ key: 'key-a', lastSeenAtMs: 5_000 }])
      await store.markSeen([{ key: 'key-a', lastSeenAtMs: 4_000 }])
      const proof = { key: 'key-a', previousProofAtMs: 3_000 }
      await store.markProven([{ ...proof, provenAtMs: 6_000, refresh: new Uint8Array([6]) }])
      await store.markProven([{ ...proof, provenAtMs: 7_000, refresh: new Uint8Array([7]) }])
      const found = await store.find('key-a')
      expect(found).toMatchObject({ lastSeenAtMs: 5_000, provenAtMs: 6_000 })
      expect([...(found?.refresh ?? [])]).toEqual([6])
    })

    it(`lists what is due, oldest proof first, ${MAX_ROWS} at a time`, async () => {
      for (let n = 0; n <= MAX_ROWS; n += 1) await insert(store, rowOf(`n${n}`, { provenAtMs: 5_000 - n }))
      const first = await store.listDue(4_999, null)
      expect([first.length, first[0]?.provenAtMs]).toEqual([MAX_ROWS, 5_000 - MAX_ROWS])
      expect(await store.listDue(4_999, first.at(-1) ?? null)).toEqual([])
      expect(await store.listDue(5_000, first.at(-1) ?? null)).toMatchObject([{ id: 'n0' }])
    }, 60_000)

    it('removes what began or was used too long ago, and says whose', async () => {
      await insert(store, rowOf('old', { startedAtMs: 100 }))
      await insert(store, rowOf('idle', { lastSeenAtMs: 200 }))
      await insert(store, rowOf('live'))
      expect(idsOf(await store.removeExpired({ startedMs: 100, seenMs: 200 }, 9_000))).toEqual([
        'idle',
        'old',
      ])
      expect(await store.removeExpired({ startedMs: 100, seenMs: 200 }, 9_000)).toEqual([])
      expect(idsOf(await store.list())).toEqual(['live'])
    })

    it('follows a clock that was set back, except for sessions of another time', async () => {
      await insert(store, rowOf('a', { startedAtMs: 0, lastSeenAtMs: 600_000, provenAtMs: 600_000 }))
      await insert(store, rowOf('b', { startedAtMs: 500_000, lastSeenAtMs: 600_000, provenAtMs: 600_000 }))
      await store.followClock(100_000, 50_000)
      expect(await store.find('key-a')).toMatchObject({ lastSeenAtMs: 100_000, provenAtMs: 50_000 })
      expect(await store.find('key-b')).toMatchObject({ lastSeenAtMs: 600_000, provenAtMs: 600_000 })
    })

    it('49 revokes by id, address and all, and hands each to one gate to record', async () => {
      for (const id of ['a', 'b', 'c', 'd']) await insert(store, rowOf(id))
      const operator = await open(null)
      expect(await operator.revoke({ id: 'a' }, 9_000)).toEqual([{ id: 'a', email: 'a@example.co.jp' }])
      expect(await operator.revoke({ email: 'B@example.co.jp' }, 9_000)).toHaveLength(1)
      expect(idsOf(await operator.revoke({ everybody: true }, 9_000))).toEqual(['c', 'd'])
      expect(await store.find('key-a')).toBeNull()
      const taken: string[] = []
      await vi.waitFor(async () => {
        taken.push(...idsOf(await store.takeRevocations()))
        expect(taken.sort()).toEqual(['a', 'b', 'c', 'd'])
      }, 10_000)
      expect(await store.takeRevocations()).toEqual([])
    })

    it('49 hears of what ends elsewhere, and stops answering from memory if it would not', async () => {
      const other = await open(OWN)
      await insert(store, rowOf('a'))
      await store.takeRevocations()
      expect(store.hears()).toBe(true)
      let heard = false
      store.subscribe((keys) => {
        heard ||= keys === null || keys.includes('key-a')
      })
      await other.remove([{ key: 'key-a', reason: null, endedAtMs: 9_000 }])
      await vi.waitFor(async () => {
        await store.takeRevocations()
        expect(heard).toBe(true)
      }, 10_000)
      expect(await store.find('key-a')).toBeNull()
    })

    it('keeps why sessions ended until that is forgotten, and nothing of those whose holder ended them', async () => {
      for (const id of ['a', 'b', 'c', 'd']) await insert(store, rowOf(id))
      await store.remove([
        { key: 'key-a', reason: null, endedAtMs: 5_000 },
        { key: 'key-b', reason: 'policy', endedAtMs: 5_000 },
      ])
      await store.remove([{ key: 'key-b', reason: 'elsewhere', endedAtMs: 9_000 }]) // the first reason counts
      await (await open(null)).revoke({ id: 'c' }, 6_000)
      await store.removeExpired({ startedMs: 0, seenMs: 2_000 }, 7_000)
      const reasons = () =>
        Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => store.findEndReason(`key-${id}`)))
      expect(await reasons()).toEqual([null, 'policy', 'revoked', 'idle', null])
      await store.forgetEnds(6_000)
      expect(await reasons()).toEqual([null, null, 'revoked', 'idle', null])
    })

    describe('of sessions that were handed over', () => {
      const childOf = (parent: string, id: string) =>
        rowOf(id, {
          parent: `key-${parent}`,
          sub: `uid-${parent}`,
          email: `${parent}@example.co.jp`,
          provenAtMs: 0,
        })

      it('finds them with the one they are from, and never has them proven', async () => {
        await insert(store, rowOf('a'))
        expect(await insert(store, childOf('a', 'x'))).toBe('inserted')
        expect(await store.find('key-x')).toMatchObject({ parent: 'key-a' })
        expect(await store.find('key-a')).not.toHaveProperty('parent')
        expect(idsOf(await store.ofAccount('uid-a'))).toEqual(['a', 'x'])
        expect(idsOf(await store.listDue(9_000, null))).toEqual(['a'])
        expect(await store.count()).toEqual({ sessions: 2, oldestProofAtMs: 3_000 })
      })

      it('takes none without the one it is from, nor from one of another context', async () => {
        const theirs = await open({ ...OWN, origin: 'https://other.test' })
        await insert(theirs, rowOf('a'))
        expect(await insert(store, childOf('a', 'x'))).toBe('parent_ended')
        expect(await store.find('key-x')).toBeNull()
      })

      it.each<[string, (operator: SessionStore) => Promise<unknown>]>([
        ['is signed out', () => store.remove([{ key: 'key-a', reason: null, endedAtMs: 9_000 }])],
        ['is revoked', (operator) => operator.revoke({ id: 'a' }, 9_000)],
        ['expires', () => store.removeExpired({ startedMs: 1_000, seenMs: 0 }, 9_000)],
      ])('ends them when the one they are from %s, and no others', async (_how, end) => {
        for (const id of ['a', 'b'])
          await insert(store, rowOf(id, { startedAtMs: id === 'a' ? 1_000 : 1_001 }))
        await insert(store, { ...childOf('a', 'x'), startedAtMs: 1_001 })
        await insert(store, { ...childOf('b', 'y'), startedAtMs: 1_001 })
        await end(await open(null))
        expect(await store.find('key-x')).toBeNull()
        expect(idsOf(await store.list())).toEqual(['b', 'y'])
      })

      it('ends one alone', async () => {
        await insert(store, rowOf('a'))
        await insert(store, childOf('a', 'x'))
        await store.remove([{ key: 'key-x', reason: null, endedAtMs: 9_000 }])
        expect(idsOf(await store.list())).toEqual(['a'])
      })
    })

    it('has one gate prove at a time', async () => {
      expect(await store.holdProving()).toBe(true)
      expect(await store.holdProving()).toBe(true)
    })

    it('fails once it is closed', async () => {
      const other = await test.open(OWN)
      await other.close()
      await expect(other.find('key-a')).rejects.toThrow()
      await expect(insert(other, rowOf('a'))).rejects.toThrow()
    })
  })
}
