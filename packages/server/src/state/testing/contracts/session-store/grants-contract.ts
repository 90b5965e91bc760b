import { describe, expect, it } from 'vitest'
import { digestOfToken, newNamingToken, REUSE_MS } from '../../../grants/grant-tokens.ts'
import { createGrants } from '../../../grants/grants.ts'
import type { GrantRow, GrantStore, GrantTokenRow } from '../../../sessions/rows/grant-store.ts'
import { createSeal } from '../../../sessions/rows/seal.ts'
import { childOf, insert, OWN, rowOf, SEALED, type StoreUnderTest, useStore } from './store-under-test.ts'

const grantOf = (id: string, changes: Partial<GrantRow> = {}): GrantRow => ({
  ...{
    id,
    session: 'key-a',
    kind: 'grant',
    client: 'https://client.example/a',
    name: 'エージェント',
    edition: null,
  },
  ...{ createdAtMs: 1_000, expiresAtMs: 9_000, usedAtMs: null, calls: 0, refresh: '', seal: SEALED },
  ...changes,
})
const tokenOf = (grant: string, digest: string, changes: Partial<GrantTokenRow> = {}): GrantTokenRow => ({
  ...{ digest, grant, use: 'access', detail: '{"x":1}', expiresAtMs: 5_000, seal: SEALED },
  ...changes,
})
const DAY_MS = 86_400_000
const ACCOUNT = { issuer: OWN.issuer, sub: 'uid-a' }

/** Grants of agents, which hang on offline sessions, and clients that registered themselves. */
export function describeGrants(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(`grants in ${name}`, () => {
    const test = useStore(create)
    const standing = (id: string) => insert(test.store, rowOf(id, { kind: 'standing' }))

    it('are found by their tokens, by id and by account, as they were written', async () => {
      await standing('a')
      const grant = grantOf('g1', { edition: 'staff', kind: 'personal' })
      const token = tokenOf('g1', 'd1', { use: 'personal' })
      expect(await test.store.grants.insert(grant, token)).toBe(true)
      expect(await test.store.grants.findToken('d1')).toEqual({ grant, token })
      expect(await test.store.grants.find('g1')).toEqual(grant)
      expect(await test.store.grants.ofAccount(ACCOUNT)).toEqual([grant])
      expect(await test.store.grants.ofAccount({ ...ACCOUNT, sub: 'uid-b' })).toEqual([])
      expect([await test.store.grants.findToken('d2'), await test.store.grants.find('g2')]).toEqual([
        null,
        null,
      ])
    })

    it('belong to an offline session alone, and are invalid in another context', async () => {
      await insert(test.store, rowOf('a'))
      expect(await test.store.grants.insert(grantOf('g1'), tokenOf('g1', 'd1'))).toBe(false)
      expect(await test.store.grants.insert(grantOf('g1', { session: 'none' }), tokenOf('g1', 'd1'))).toBe(
        false,
      )
      await standing('b')
      await test.store.grants.insert(grantOf('g2', { session: 'key-b' }), tokenOf('g2', 'd2'))
      const other = await test.open({ ...OWN, origin: 'https://other.test' })
      expect([await other.grants.findToken('d2'), await other.grants.find('g2')]).toEqual([null, null])
      expect(await other.grants.remove(['g2'])).toEqual([])
      expect(await other.grants.list()).toEqual([])
      expect(await test.store.grants.findToken('d2')).not.toBeNull()
    })

    it('end with what they hang on, however that ends, and for every gate at once', async () => {
      const second = await test.open(OWN)
      const operator = await test.open(null)
      const ends = {
        a: () => test.store.ends.remove([{ key: 'key-a', reason: 'account', endedAtMs: 1 }]),
        b: () => operator.operators.revoke({ email: 'b@example.co.jp' }, 1),
        c: () => operator.operators.revoke({ id: 'c' }, 1),
      }
      for (const [id, end] of Object.entries(ends)) {
        await standing(id)
        await test.store.grants.insert(
          grantOf(`g-${id}`, { session: `key-${id}` }),
          tokenOf(`g-${id}`, `d-${id}`),
        )
        expect(await second.grants.findToken(`d-${id}`)).not.toBeNull()
        await end()
        expect([await second.grants.findToken(`d-${id}`), await second.grants.find(`g-${id}`)]).toEqual([
          null,
          null,
        ])
      }
    })

    it('are removed by id, with their tokens', async () => {
      await standing('a')
      await test.store.grants.insert(grantOf('g1'), tokenOf('g1', 'd1'))
      await test.store.grants.insert(grantOf('g2'), tokenOf('g2', 'd2'))
      const operator = await test.open(null)
      expect((await operator.grants.list()).map(({ id, email }) => [id, email])).toEqual([
        ['g1', 'a@example.co.jp'],
        ['g2', 'a@example.co.jp'],
      ])
      expect((await operator.grants.list('g1')).map(({ id }) => id)).toEqual(['g2'])
      expect(await operator.grants.remove(['g1', 'none'])).toMatchObject([
        { id: 'g1', email: 'a@example.co.jp' },
      ])
      expect([
        await test.store.grants.findToken('d1'),
        (await test.store.grants.findToken('d2'))?.grant.id,
      ]).toEqual([null, 'g2'])
    })

    it('are listed with what is sealed over them, and take another seal and nothing else', async () => {
      await standing('a')
      const rows = [grantOf('g1'), grantOf('g2', { refresh: 'x' })]
      for (const row of rows) await test.store.grants.insert(row, tokenOf(row.id, `d-${row.id}`))
      const tokens = rows.map(({ id }) => tokenOf(id, `d-${id}`))
      expect(await test.store.grants.listSealed()).toEqual({ grants: rows, tokens })
      expect(await test.store.grants.listSealed('g2')).toEqual({ grants: [], tokens: [] })
      const other = await test.open({ ...OWN, origin: 'https://other.test' })
      expect(await other.grants.listSealed()).toEqual({ grants: [], tokens: [] })
      const seal = new Uint8Array(SEALED.map((byte) => byte ^ 1))
      await test.store.grants.setSeals({
        grants: [{ ...grantOf('g2', { refresh: 'other', name: 'other' }), seal }, grantOf('gone')],
        tokens: [tokenOf('g2', 'd-g1', { seal }), tokenOf('g1', 'd-gone')],
      })
      expect(await test.store.grants.listSealed()).toEqual({
        grants: [rows[0], { ...rows[1], seal }],
        tokens: [{ ...tokens[0], seal }, tokens[1]],
      })
      await test.store.grants.setSeals({ grants: [], tokens: [] })
    })

    it('take one refresh at a time, whichever gates are asked at once', async () => {
      await standing('a')
      await test.store.grants.insert(grantOf('g1'), tokenOf('g1', 'd1'))
      const second = await test.open(OWN)
      const taken = await Promise.all(
        [test.store, second, test.store, second].map(({ grants }, n) =>
          grants.rotate('g1', '', `after-${n}`, tokenOf('g1', `access-${n}`)),
        ),
      )
      expect(taken.filter((isTaken) => isTaken)).toHaveLength(1)
      const n = taken.indexOf(true)
      expect((await second.grants.find('g1'))?.refresh).toBe(`after-${n}`)
      for (const index of [0, 1, 2, 3])
        expect((await second.grants.findToken(`access-${index}`)) !== null).toBe(index === n)
    })

    it('are refreshed by processes that share a token for ten minutes; later use of it ends the grant', async () => {
      await standing('a')
      let nowMs = 10_000
      const options = { seal: createSeal('s'.repeat(32)), now: () => nowMs }
      const gates = [test.store, await test.open(OWN)].map(({ grants: store }) =>
        createGrants({ ...options, store }),
      )
      const [one, other] = [gates[0], gates[1]]
      if (one === undefined || other === undefined) throw new Error('no gate')
      const begun = await one.begin({
        ...{ session: 'key-a', account: ACCOUNT, client: 'c', name: 'C', binding: '' },
      })
      if (begun === null) throw new Error('nothing begun')
      const first = await one.redeem(begun.code, () => true)
      const refreshOf = (redeemed: { readonly kind: string; readonly refresh?: string }) => {
        expect(redeemed.kind).toBe('issued')
        return redeemed.refresh ?? ''
      }
      const token = refreshOf(first)
      const together = await Promise.all([one, other, one, other].map((gate) => gate.refresh(token, 'c')))
      const siblings = together.map(refreshOf)
      nowMs += REUSE_MS - 1
      siblings.push(refreshOf(await other.refresh(token, 'c')))
      nowMs += 1
      const next = await Promise.all(siblings.map((sibling) => other.refresh(sibling, 'c')))
      const newest = refreshOf(next[0] ?? first)
      expect((await one.refresh(token, 'c')).kind).toBe('reused')
      expect((await one.refresh(newest, 'c')).kind).toBe('unknown')
    })

    describe('take no refresh token that only a database role allows', () => {
      const seal = createSeal('s'.repeat(32))
      const setRefresh = async (id: string, change: (before: string) => string) => {
        const before = (await test.store.grants.find(id))?.refresh ?? ''
        expect(await test.store.grants.rotate(id, before, change(before), tokenOf(id, `role ${id}`))).toBe(
          true,
        )
      }
      /** A grant refreshed once: its first token was stolen and is over. */
      async function refreshOnce() {
        await standing('a')
        const clock = { nowMs: 10_000 }
        const gate = createGrants({ store: test.store.grants, seal, now: () => clock.nowMs })
        const begin = async () => {
          const begun = await gate.begin({
            ...{ session: 'key-a', account: ACCOUNT, client: 'c', name: 'C', binding: '' },
          })
          const redeemed = await gate.redeem(begun?.code ?? '', () => true)
          if (redeemed.kind !== 'issued') throw new Error(redeemed.kind)
          return redeemed
        }
        const stolen = await begin()
        const next = await gate.refresh(stolen.refresh, 'c')
        if (next.kind !== 'issued') throw new Error(next.kind)
        clock.nowMs += REUSE_MS
        return { gate, clock, begin, stolen, next }
      }

      it.each<[string, (before: string, stolen: string) => string]>([
        ['added', (before, stolen) => `${stolen} ${before}`],
        ['alone', (_, stolen) => stolen],
        ['in the place of the valid one', (before, stolen) => before.replace(/^\S+/, stolen)],
        ['used a moment ago', (before, stolen) => `${before} ${stolen}@${10_000 + REUSE_MS}`],
        ['with the time of use set on', (before) => before.replace(/@10000\b/, `@${10_000 + REUSE_MS}`)],
      ])('%s', async (_name, change) => {
        const { gate, stolen, next } = await refreshOnce()
        await setRefresh(stolen.grant.id, (before) => change(before, digestOfToken(stolen.refresh)))
        expect((await gate.refresh(stolen.refresh, 'c')).kind).toBe('unknown')
        expect((await gate.refresh(next.refresh, 'c')).kind).toBe('unknown')
      })

      it('of another grant’s state', async () => {
        const { gate, begin, stolen, next } = await refreshOnce()
        const other = (await test.store.grants.find((await begin()).grant.id))?.refresh ?? ''
        await setRefresh(stolen.grant.id, () => other)
        expect((await gate.refresh(next.refresh, 'c')).kind).toBe('unknown')
      })

      it('of a grant that ended for want of use, with a last use of today', async () => {
        const { gate, clock, next } = await refreshOnce()
        clock.nowMs += 15 * DAY_MS
        await test.store.grants.markUsed([{ id: next.grant.id, calls: 1, usedAtMs: clock.nowMs }])
        expect((await gate.refresh(next.refresh, 'c')).kind).toBe('unknown')
      })

      it('and every one of a grant that an earlier version wrote', async () => {
        await standing('a')
        const plain = { createdAtMs: 1_000, expiresAtMs: 30 * DAY_MS, client: 'c', name: 'C', edition: null }
        const said = ['grant', 'g1', 'key-a', 'grant', 'c', 'C', null, 1_000, 30 * DAY_MS]
        const token = newNamingToken('refresh', seal, 'g1')
        const row = grantOf('g1', { ...plain, seal: seal.close('', JSON.stringify(said)) })
        await test.store.grants.insert({ ...row, refresh: digestOfToken(token) }, tokenOf('g1', 'd1'))
        const gate = createGrants({ store: test.store.grants, seal, now: () => 5_000 })
        const first = await gate.refresh(token, 'c')
        if (first.kind !== 'issued') throw new Error(first.kind)
        expect((await gate.refresh(first.refresh, 'c')).kind).toBe('issued')
        expect((await gate.refresh(token, 'c')).kind).toBe('issued')
      })
    })

    it('count calls of every gate, and never set a last use back', async () => {
      await standing('a')
      await test.store.grants.insert(grantOf('g1'), tokenOf('g1', 'd1'))
      const second = await test.open(OWN)
      await test.store.grants.markUsed([{ id: 'g1', calls: 2, usedAtMs: 3_000 }])
      await second.grants.markUsed([
        { id: 'g1', calls: 3, usedAtMs: 2_000 },
        { id: 'gone', calls: 1, usedAtMs: 1 },
      ])
      expect(await test.store.grants.find('g1')).toMatchObject({ calls: 5, usedAtMs: 3_000 })
    })

    it('go when they are over or unclaimed; an offline session goes without dependants', async () => {
      await standing('a')
      await insert(test.store, childOf('a', 'browser'))
      for (const [id, changes] of Object.entries({
        over: { refresh: 'x', expiresAtMs: 4_000 },
        fresh: { createdAtMs: 3_500 },
        forgotten: { createdAtMs: 2_000 },
        personal: { kind: 'personal', createdAtMs: 2_000 } as const,
        alive: { refresh: 'x' },
        unused: { refresh: 'x', createdAtMs: 100 },
        used: { refresh: 'x', createdAtMs: 100, usedAtMs: 3_200 },
      }))
        await test.store.grants.insert(grantOf(id, changes), tokenOf(id, `d-${id}`, { expiresAtMs: 4_000 }))
      await test.store.grants.insert(grantOf('later'), tokenOf('later', 'd-later'))
      await test.store.grants.removeExpired(4_000, 3_000, 200)
      const left = (await test.store.grants.list()).map(({ id }) => id)
      expect(left).toEqual(['alive', 'fresh', 'personal', 'used'])
      expect(await test.store.grants.findToken('d-alive')).toBeNull()
      const never = { startedMs: 0, seenMs: 0, provenMs: 0 }
      const expire = async () => (await test.store.ends.removeExpired(never, 90_000)).map(({ id }) => id)
      expect(await expire()).toEqual([])
      await test.store.ends.remove([{ key: 'key-browser', reason: null, endedAtMs: 1 }])
      expect(await expire()).toEqual([])
      await test.store.grants.remove(left)
      expect(await expire()).toEqual(['a'])
    })

    it('keep an offline session from neither idle nor absolute limits; an account that cannot be proven ends it', async () => {
      await insert(
        test.store,
        rowOf('a', { kind: 'standing', refresh: new Uint8Array(28), startedAtMs: 80_000 }),
      )
      await test.store.grants.insert(grantOf('g1'), tokenOf('g1', 'd1'))
      const late = { startedMs: 85_000, seenMs: 85_000 }
      expect(await test.store.ends.removeExpired({ ...late, provenMs: 2_999 }, 90_000)).toEqual([])
      const ended = await test.store.ends.removeExpired({ ...late, provenMs: 3_000 }, 90_000)
      expect([ended.map(({ id }) => id), await test.store.grants.find('g1')]).toEqual([['a'], null])
    })
  })

  describe(`clients that registered themselves in ${name}`, () => {
    const test = useStore(create)
    const client = (id: string) => ({
      id,
      name: `クライアント ${id}`,
      redirects: ['http://localhost/cb', 'https://a.test/'],
    })

    it('stay while they have a grant, however many register after them', async () => {
      const { store } = test
      await insert(store, rowOf('a', { kind: 'standing' }))
      for (const id of ['granted', 'old', 'new']) await store.grants.register(client(id), 0, 1_000)
      await store.grants.insert(grantOf('g1', { client: 'granted' }), tokenOf('g1', 'd1'))
      for (const id of ['flood-1', 'flood-2']) await store.grants.register(client(id), 9, 2)
      const kept = ['granted', 'old', 'new', 'flood-1', 'flood-2'].map((id) => store.grants.findClient(id))
      expect((await Promise.all(kept)).map((one) => one?.id)).toEqual([
        ...['granted', undefined, undefined],
        ...['flood-1', 'flood-2'],
      ])
    })

    it('are a thousand at most, and forgotten when unused for ninety days and without a grant', async () => {
      const most: number[] = []
      const store: GrantStore = {
        ...test.store.grants,
        register(one, atMs, max) {
          most.push(max)
          return test.store.grants.register(one, atMs, max)
        },
      }
      let nowMs = 0
      const grants = createGrants({ store, seal: createSeal('s'.repeat(32)), now: () => nowMs })
      const { name, redirects } = client('a')
      const [unused, used] = [
        await grants.clients.register({ name, redirects: [] }),
        await grants.clients.register({ name, redirects }),
      ]
      expect(await grants.clients.findAlike({ name: 'other', redirects })).toBeNull()
      nowMs = 60 * DAY_MS
      expect(await grants.clients.find(used)).toEqual({ id: used, name, redirects })
      await grants.tidy()
      expect(await store.findClient(unused)).not.toBeNull()
      nowMs = 90 * DAY_MS + 1
      await grants.tidy()
      expect([await store.findClient(unused), (await store.findClient(used))?.id]).toEqual([null, used])
      expect(most).toEqual([1_000, 1_000])
      await insert(test.store, rowOf('a', { kind: 'standing' }))
      await store.insert(grantOf('g1', { client: used, expiresAtMs: 999 * DAY_MS }), tokenOf('g1', 'd1'))
      nowMs = 200 * DAY_MS
      await store.forgetClients(nowMs)
      expect((await store.findClient(used))?.id).toBe(used)
      await store.remove(['g1'])
      await store.forgetClients(nowMs)
      expect(await store.findClient(used)).toBeNull()
    })

    it('are found at every gate, and those go that were unused longest', async () => {
      for (const [n, id] of ['a', 'b', 'c'].entries())
        await test.store.grants.register(client(id), 1_000 + n, 3)
      const second = await test.open(OWN)
      expect(await second.grants.findClient('a')).toEqual(client('a'))
      await second.grants.markClientUsed('a', 5_000)
      await second.grants.markClientUsed('a', 4_000)
      await second.grants.register(client('d'), 2_000, 3)
      const kept = await Promise.all(['a', 'b', 'c', 'd'].map((id) => test.store.grants.findClient(id)))
      expect(kept.map((one) => one?.id ?? null)).toEqual(['a', null, 'c', 'd'])
      await test.store.grants.forgetClients(4_900)
      expect([await second.grants.findClient('a'), await second.grants.findClient('d')]).toEqual([
        client('a'),
        null,
      ])
    })
  })
}
