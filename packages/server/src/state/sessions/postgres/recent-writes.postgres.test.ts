import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { type Database, openDatabase, type ReplacedListener } from '../../../storage/database/database.ts'
import { insert, OWN, rowOf, SEALED } from '../../testing/contracts/session-store/store-under-test.ts'
import type { TestDatabase } from '../../testing/postgres/postgres-server.ts'
import { createMigratedDatabase } from '../../testing/postgres/test-database.ts'
import type { GrantRow, GrantTokenRow } from '../rows/grant-store.ts'
import { createPostgresSessions, readContextId } from './postgres-sessions.ts'

const superuserUrl = inject('postgresUrl')
const grantOf = (id: string): GrantRow => ({
  ...{ id, session: 'key-a', kind: 'grant', client: 'c', name: 'Agent', edition: null, refresh: 'first' },
  ...{ createdAtMs: 1_000, expiresAtMs: 9_000, usedAtMs: null, calls: 0, seal: SEALED },
})
const tokenOf = (grant: string): GrantTokenRow => ({
  ...{ digest: `d-${grant}`, grant, use: 'access', detail: '', expiresAtMs: 5_000, seal: SEALED },
})

describe.skipIf(superuserUrl === null)('after a fail-over that lost seconds', () => {
  let made: TestDatabase
  let gate: Database
  const replaced: ReplacedListener[] = []
  beforeEach(async () => {
    made = await createMigratedDatabase(superuserUrl ?? '')
    const opened = await openDatabase({ url: made.gateUrl, onProblem: () => {} })
    gate = { ...opened, onReplaced: (listener) => void replaced.push(listener) }
  })
  afterEach(async () => {
    replaced.length = 0
    await gate.close()
  })
  const open = async () => createPostgresSessions(gate, await readContextId(gate, OWN))
  const takePlace = () => gate.transaction(async (ask) => Promise.all(replaced.map((tell) => tell(ask))))
  /** Simulates a standby that missed a write: restores the earlier row. */
  const loseEnd = (id: string) =>
    made.run(
      `INSERT INTO sekisho.grants SELECT '${id}', session, kind, client, name, edition, created_at, expires_at, used_at, calls, 'first', seal
       FROM sekisho.grants WHERE id = 'kept'`,
    )

  it('49 a revoked grant is over at the gate that heard it, and soon for all', async () => {
    const store = await open()
    await insert(store, rowOf('a', { kind: 'standing' }))
    for (const id of ['kept', 'gone']) await store.grants.insert(grantOf(id), tokenOf(id))
    await store.grants.remove(['gone'])
    await loseEnd('gone')
    expect(await store.grants.find('gone')).toBeNull() // whatever the database says
    const other = await openDatabase({ url: made.gateUrl, onProblem: () => {} })
    const elsewhere = createPostgresSessions(other, await readContextId(other, OWN)).grants
    expect(await elsewhere.find('gone')).not.toBeNull()
    await takePlace()
    expect([await elsewhere.find('gone'), (await elsewhere.find('kept'))?.id]).toEqual([null, 'kept'])
    await other.close()
  })

  it('a code that was exchanged gives nothing once more, whichever grants were made beside it', async () => {
    const store = await open()
    await insert(store, rowOf('a', { kind: 'standing' }))
    for (const id of ['one', 'two']) {
      await store.grants.insert({ ...grantOf(id), refresh: '' }, tokenOf(id))
      await store.grants.rotate(id, '', `${id} first`, { ...tokenOf(id), digest: `access-${id}` })
    }
    await made.run("UPDATE sekisho.grants SET refresh = ''")
    await takePlace()
    const states = await Promise.all(['one', 'two'].map((id) => store.grants.find(id)))
    expect(states.map((grant) => grant?.refresh)).toEqual(['one first', 'two first'])
  })

  it('a refresh token that was replaced counts no more, however many followed it', async () => {
    const store = await open()
    await insert(store, rowOf('a', { kind: 'standing' }))
    for (const id of ['kept', 'refreshed']) await store.grants.insert(grantOf(id), tokenOf(id))
    await store.grants.rotate('refreshed', 'first', 'second', { ...tokenOf('refreshed'), digest: 'd-2' })
    await store.grants.rotate('refreshed', 'second', 'third', { ...tokenOf('refreshed'), digest: 'd-3' })
    await made.run("UPDATE sekisho.grants SET refresh = 'first' WHERE id = 'refreshed'")
    await takePlace()
    expect((await store.grants.find('refreshed'))?.refresh).toBe('third')
    expect((await store.grants.find('kept'))?.refresh).toBe('first')
  })
})
