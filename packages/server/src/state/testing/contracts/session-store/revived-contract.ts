import { describe, expect, it } from 'vitest'
import { digestOfToken } from '../../../grants/grant-tokens.ts'
import { createGrants } from '../../../grants/grants.ts'
import { createSeal } from '../../../sessions/rows/seal.ts'
import type { SessionRow } from '../../../sessions/rows/session.ts'
import { type SessionKey, sessionKeyOf } from '../../../sessions/rows/session-key.ts'
import { createSessions } from '../../../sessions/sessions.ts'
import { ALICE, LIMITS } from '../../test-sessions.ts'
import { type StoreUnderTest, useStore } from './store-under-test.ts'

/** Rows that a role of the database writes, who has seen all rows and has no secret. */
export function describeRevived(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(`${name} in the hands of a role that may write`, () => {
    const test = useStore(create)
    const seal = createSeal('s'.repeat(32))

    /** A gate and an offline session of Alice's there. */
    async function begin() {
      const clock = { nowMs: Date.parse('2026-11-21T00:00:00Z') }
      const gate = createSessions({ store: test.store, seal, limits: LIMITS, now: () => clock.nowMs })
      const spent = { digest: 'spent', expiresAtMs: clock.nowMs + 60_000 }
      const started = await gate.start({
        ...{ identity: ALICE, refreshToken: 'r', spent, device: '', address: '' },
      })
      if (started.kind !== 'started') throw new Error(started.kind)
      const offline = await gate.createOfflineSession(sessionKeyOf(started.token))
      if (offline.kind !== 'offline') throw new Error(offline.kind)
      const row = await test.store.sessions.find(offline.key)
      if (row === null) throw new Error('no row')
      return { gate, clock, row, key: offline.key as SessionKey }
    }
    const insert = (row: SessionRow) =>
      test.store.sessions.insert(row, { digest: 'role', expiresAtMs: row.startedAtMs })

    it.each(['its account', 'an operator'])('no session comes back that %s ended', async (who) => {
      const { gate, clock, row, key } = await begin()
      if (who === 'an operator') {
        await (await test.open(null)).operators.revoke({ email: ALICE.email }, clock.nowMs)
        expect(await gate.synchronise()).toHaveLength(2)
      } else await gate.end(key, 'account', 'elsewhere')
      expect(await insert(row)).toBe('inserted')
      expect(await gate.find(key, { touch: false })).toBeNull()
      clock.nowMs += LIMITS.revalidationIntervalMs
      expect((await gate.listDue()).due).toEqual([])
    })

    it('no proof is put off', async () => {
      const { gate, clock, row, key } = await begin()
      const laterMs = row.provenAtMs + 9e9
      const proof = { ...row, previousProofAtMs: row.provenAtMs, provenAtMs: laterMs }
      await test.store.proofs.markProven([proof])
      const again = createSessions({ store: test.store, seal, limits: LIMITS, now: () => clock.nowMs })
      expect(await again.find(key, { touch: false })).toMatchObject({ provenAtMs: row.provenAtMs })
      clock.nowMs += LIMITS.revalidationIntervalMs + LIMITS.revalidationGraceMs + 1
      for (const one of [gate, again])
        await expect((async () => one.find(key, { touch: false }))()).rejects.toMatchObject({
          code: 'identity_unavailable',
        })
    })

    it('no grant comes back that its reader ended', async () => {
      const { clock, key } = await begin()
      const grants = createGrants({ store: test.store.grants, seal, now: () => clock.nowMs })
      const request = { session: key, account: ALICE, name: 'n', edition: null }
      const made = await grants.makePersonal({ ...request, expiresAtMs: clock.nowMs + 9e9 })
      const found = await test.store.grants.findToken(digestOfToken(made?.token ?? ''))
      if (made === null || found === null) throw new Error('no token')
      await grants.end(ALICE, made.grant.id)
      await test.store.grants.insert(found.grant, found.token)
      expect(await grants.find(made.token)).toBeNull()
    })

    it('no registered client gets another name or address; those of earlier versions stay', async () => {
      const grants = createGrants({ store: test.store.grants, seal, now: () => 1_000 })
      const [client, altered] = ['https://a.test/', 'https://b.test/'].map((one) => ({
        name: 'n',
        redirects: [one],
      }))
      if (client === undefined || altered === undefined) throw new Error('no client')
      const id = await grants.clients.register(client)
      expect(await grants.clients.find(id)).toMatchObject(client)
      const forged = id.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
      await test.store.grants.register({ id: forged, ...altered }, 1_000, 9)
      expect(await grants.clients.find(forged)).toBeNull()
      await test.store.grants.register({ id: 'earlier12345', ...altered }, 1_000, 9)
      expect(await grants.clients.find('earlier12345')).toMatchObject(altered)
    })
  })
}
