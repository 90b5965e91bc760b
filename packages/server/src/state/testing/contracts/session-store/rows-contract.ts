import { describe, expect, it } from 'vitest'
import type { SessionContext } from '../../../sessions/rows/session-store.ts'
import { PLAIN } from '../../test-sessions.ts'
import {
  childOf,
  idsOf,
  insert,
  OWN,
  rowOf,
  SEALED,
  type StoreUnderTest,
  useStore,
} from './store-under-test.ts'

const OTHERS: readonly (readonly [row: string, context: SessionContext])[] = [
  ['a local gate', { issuer: 'local', projectId: 'demo-sekisho', origin: 'http://localhost:3000' }],
  ['another issuer', { ...OWN, issuer: 'https://issuer.test/b' }],
  ['another project', { ...OWN, projectId: 'b' }],
  ['another origin', { ...OWN, origin: 'https://other.test' }],
]

/** Contract of every store on living sessions. */
export function describeRows(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(`${name} as a store of sessions: living sessions`, () => {
    const test = useStore(create)

    it('finds what was inserted, byte for byte, and nothing else', async () => {
      expect(await insert(test.store, rowOf('a'))).toBe('inserted')
      expect(await insert(test.store, rowOf('b', { name: null }))).toBe('inserted')
      const found = await test.store.sessions.find('key-a')
      expect({ ...found, refresh: [...(found?.refresh ?? [])] }).toEqual({
        ...rowOf('a'),
        refresh: [...SEALED],
      })
      expect((await test.store.sessions.find('key-b'))?.name).toBeNull()
      expect(await test.store.sessions.find('key-c')).toBeNull()
    })

    it('50 spends a token once, also when two gates are asked at the same moment', async () => {
      const other = await test.open(OWN)
      const results = await Promise.all([
        insert(test.store, rowOf('a'), 'same'),
        insert(other, rowOf('b'), 'same'),
      ])
      expect(results.sort()).toEqual(['inserted', 'replayed'])
      await test.store.sessions.forgetSpent(9_000)
      expect(await insert(test.store, rowOf('c'), 'same')).toBe('replayed')
      await test.store.sessions.forgetSpent(9_001)
      expect(await insert(test.store, rowOf('c'), 'same')).toBe('inserted')
    })

    it('48 binds an address to one account, whatever its case, until it is unbound', async () => {
      const other = { sub: 'uid-other', email: 'A@example.co.jp' }
      expect(await insert(test.store, rowOf('a'))).toBe('inserted')
      expect(await insert(test.store, rowOf('b', other))).toBe('account_changed')
      expect(await test.store.sessions.find('key-b')).toBeNull()
      const operator = await test.open(null)
      expect(await operator.operators.unbind('a@EXAMPLE.co.jp')).toBe(true)
      expect(await operator.operators.unbind('a@example.co.jp')).toBe(false)
      expect(await insert(test.store, rowOf('c', other))).toBe('inserted')
    })

    it('48 binds no address that its issuer does not vouch for, and so keeps its owner out of nothing', async () => {
      const claimed = { sub: 'uid-thief', vouched: { ...PLAIN.vouched, address: false } }
      const owner = { sub: 'uid-owner', email: 'a@example.co.jp' }
      expect(await insert(test.store, rowOf('a', claimed))).toBe('inserted')
      expect(await insert(test.store, rowOf('b', owner))).toBe('inserted')
      expect(await insert(test.store, rowOf('c', { ...owner, ...claimed }))).toBe('inserted')
      expect(await insert(test.store, rowOf('d', { ...owner, sub: 'uid-thief' }))).toBe('account_changed')
    })

    it.each(OTHERS)(
      '55 shows nobody a session of %s, nor does its account hold an address',
      async (_row, context) => {
        const theirs = await test.open(context)
        expect(await insert(theirs, rowOf('a'))).toBe('inserted')
        expect(await test.store.sessions.find('key-a')).toBeNull()
        expect(await test.store.sessions.ofAccount({ ...PLAIN, sub: 'uid-a' })).toEqual([])
        expect(await test.store.proofs.listDue(9_000, null)).toEqual([])
        expect(
          await test.store.ends.removeExpired({ startedMs: 9_000, seenMs: 9_000, provenMs: 0 }, 9_000),
        ).toEqual([])
        expect(await test.store.sessions.count()).toEqual({ sessions: 0, oldestProofAtMs: null })
        expect(await insert(test.store, rowOf('b', { email: 'a@example.co.jp' }))).toBe('inserted')
        expect(idsOf(await test.store.operators.list())).toEqual(['b'])
        const operator = await test.open(null)
        expect(idsOf(await operator.operators.list())).toEqual(['a', 'b'])
        expect((await test.store.operators.listPlaces()).map(({ key }) => key)).toEqual(['key-b'])
        expect(idsOf(await test.store.operators.pick(['key-a', 'key-b']))).toEqual(['b'])
        expect(idsOf(await operator.operators.revoke({ everybody: true }, 9_000))).toEqual(['a', 'b'])
      },
    )

    it('gives places by address and beginning, and what is left of them in that order', async () => {
      const rows = [
        rowOf('a', { email: 'b@example.co.jp', sub: 'uid-a' }),
        rowOf('b', { email: 'Z@example.co.jp', sub: 'uid-b' }),
        rowOf('c', { email: 'a@example.co.jp', sub: 'uid-c', startedAtMs: 2 }),
        rowOf('d', { email: 'a@example.co.jp', sub: 'uid-c', startedAtMs: 1 }),
      ]
      for (const row of rows) expect(await insert(test.store, row)).toBe('inserted')
      const { listPlaces } = test.store.operators
      const places = await listPlaces()
      const keys = places.map(({ key }) => key)
      expect(keys).toEqual(['key-b', 'key-d', 'key-c', 'key-a'])
      for (const [at, place] of places.entries())
        expect(await listPlaces(place), place.key).toEqual(places.slice(at + 1))
      await test.store.ends.remove([{ key: 'key-d', reason: 'elsewhere', endedAtMs: 9 }])
      expect((await test.store.operators.pick(keys)).map(({ id }) => id)).toEqual(['b', 'c', 'a'])
    })

    it('48 knows an account by its issuer and its id: the same address at another issuer is another account', async () => {
      const there = { issuer: 'https://issuer.test/b', sub: 'uid-a', email: 'a@example.co.jp' }
      expect(await insert(test.store, rowOf('a'))).toBe('inserted')
      expect(await insert(test.store, rowOf('b', there))).toBe('inserted')
      expect(idsOf(await test.store.sessions.ofAccount({ ...PLAIN, sub: 'uid-a' }))).toEqual(['a'])
      expect(await insert(test.store, rowOf('c', { ...there, sub: 'uid-other' }))).toBe('account_changed')
      const elsewhere = { issuer: 'https://issuer.test/c', sub: 'uid-c', email: 'a@example.co.jp' }
      expect(await insert(test.store, rowOf('d', elsewhere))).toBe('inserted')
    })

    it('finds what began in one session of an issuer', async () => {
      await insert(test.store, rowOf('a', { sid: 's1' }))
      await insert(test.store, rowOf('b', { sid: 's2' }))
      await insert(test.store, rowOf('c', { sid: 's1', issuer: 'https://issuer.test/b' }))
      expect(idsOf(await test.store.sessions.ofIssuerSession(PLAIN.issuer, 's1'))).toEqual(['a'])
    })

    it('lists the sessions of an account, and counts them all', async () => {
      for (const id of ['a', 'b'])
        await insert(test.store, rowOf(id, { sub: 'uid', email: 'u@example.co.jp' }))
      await insert(test.store, rowOf('c', { provenAtMs: 2_500 }))
      expect(idsOf(await test.store.sessions.ofAccount({ ...PLAIN, sub: 'uid' }))).toEqual(['a', 'b'])
      expect(await test.store.sessions.count()).toEqual({ sessions: 3, oldestProofAtMs: 2_500 })
    })

    it('never sets a last use back', async () => {
      await insert(test.store, rowOf('a'))
      await test.store.sessions.markSeen([{ key: 'key-a', lastSeenAtMs: 5_000 }])
      await test.store.sessions.markSeen([{ key: 'key-a', lastSeenAtMs: 4_000 }])
      expect(await test.store.sessions.find('key-a')).toMatchObject({ lastSeenAtMs: 5_000 })
    })

    it('follows a clock that was set back, except for sessions of another time', async () => {
      await insert(test.store, rowOf('a', { startedAtMs: 0, lastSeenAtMs: 600_000, provenAtMs: 600_000 }))
      await insert(
        test.store,
        rowOf('b', { startedAtMs: 500_000, lastSeenAtMs: 600_000, provenAtMs: 600_000 }),
      )
      await test.store.sessions.followClock(100_000, 50_000)
      expect(await test.store.sessions.find('key-a')).toMatchObject({
        lastSeenAtMs: 100_000,
        provenAtMs: 50_000,
      })
      expect(await test.store.sessions.find('key-b')).toMatchObject({
        lastSeenAtMs: 600_000,
        provenAtMs: 600_000,
      })
    })

    it('finds them with the one they are from, and never has them proven', async () => {
      await insert(test.store, rowOf('a'))
      expect(await insert(test.store, childOf('a', 'x'))).toBe('inserted')
      expect(await test.store.sessions.find('key-x')).toMatchObject({ parent: 'key-a' })
      expect(await test.store.sessions.find('key-a')).not.toHaveProperty('parent')
      expect(idsOf(await test.store.sessions.ofAccount({ ...PLAIN, sub: 'uid-a' }))).toEqual(['a', 'x'])
      expect(idsOf(await test.store.proofs.listDue(9_000, null))).toEqual(['a'])
      expect(await test.store.sessions.count()).toEqual({ sessions: 2, oldestProofAtMs: 3_000 })
    })

    it('takes none without the one it is from, nor from one of another context', async () => {
      const theirs = await test.open({ ...OWN, origin: 'https://other.test' })
      await insert(theirs, rowOf('a'))
      expect(await insert(test.store, childOf('a', 'x'))).toBe('parent_ended')
      expect(await test.store.sessions.find('key-x')).toBeNull()
    })

    it('fails once it is closed', async () => {
      const other = await test.open(OWN)
      await other.close()
      await expect(other.sessions.find('key-a')).rejects.toThrow()
      await expect(insert(other, rowOf('a'))).rejects.toThrow()
    })
  })
}
