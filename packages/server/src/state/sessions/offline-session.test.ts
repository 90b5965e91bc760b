import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { digestOfToken } from '../grants/grant-tokens.ts'
import { createGrants, type Grants } from '../grants/index.ts'
import { ALICE, BOB, createTestSessions, MINUTE, type TestSessions } from '../testing/test-sessions.ts'
import { sealRow } from './rows/genuine-rows.ts'
import { createSeal } from './rows/seal.ts'
import { previewSessionKeyOf, sessionKeyOf } from './rows/session-key.ts'

const DAY = 24 * 60 * MINUTE
let test: TestSessions
let grants: Grants
beforeEach(() => {
  test = createTestSessions()
  grants = createGrants({ store: test.store.grants, seal: createSeal('s'.repeat(32)), now: () => test.nowMs })
})
afterEach(() => test[Symbol.asyncDispose]())

/** Signs in and makes the session one that hangs on an offline session. */
async function createOffline(identity = ALICE) {
  const token = await test.signIn(identity)
  const result = await test.sessions.createOfflineSession(sessionKeyOf(token))
  if (result.kind !== 'offline' || result.renewed === null) throw new Error(result.kind)
  return { before: token, key: result.key, token: result.renewed.token, session: result.renewed.session }
}
async function access(session: string, account = ALICE) {
  const begun = await grants.begin({ session, account, client: 'c', name: 'Agent', binding: '' })
  const redeemed = await grants.redeem(begun?.code ?? '', () => true)
  if (redeemed.kind !== 'issued') throw new Error(redeemed.kind)
  return redeemed.access
}
const offline = (key: string) => test.sessions.find(key as ReturnType<typeof sessionKeyOf>, { touch: false })

describe('an offline session', () => {
  it('takes the place of a session for the proof, and gives the browser another, no younger one', async () => {
    const startedAtMs = test.nowMs
    const token = await test.signIn()
    test.nowMs += 10 * MINUTE
    await test.prove()
    const result = await test.sessions.createOfflineSession(sessionKeyOf(token))
    if (result.kind !== 'offline' || result.renewed === null) throw new Error(result.kind)
    expect([await test.isIn(token), await test.isIn(result.renewed.token)]).toEqual([false, true])
    expect(result.renewed.session).toMatchObject({ ...ALICE, startedAtMs, device: 'Firefox / Windows' })
    expect(await test.sessions.findEndReason(sessionKeyOf(token))).toBe('replaced')
    test.nowMs += 4 * MINUTE
    expect((await test.sessions.listDue()).due).toMatchObject([{ key: result.key, kind: 'standing' }])
    const [due] = (await test.sessions.listDue()).due
    expect(due === undefined ? null : test.sessions.refreshTokenOf(due)).toBe('r')
    expect(await test.sessions.createOfflineSession(sessionKeyOf(result.renewed.token))).toEqual({
      ...{ kind: 'offline', key: result.key, renewed: null },
    })
  })

  it('is made once, of a session that lives, and hands over to previews as before', async () => {
    const token = await test.signIn()
    const both = await Promise.all([1, 2].map(() => test.sessions.createOfflineSession(sessionKeyOf(token))))
    expect(both.map(({ kind }) => kind).sort()).toEqual(['offline', 'replayed'])
    expect((await test.sessions.createOfflineSession(sessionKeyOf('nobody'))).kind).toBe('parent_ended')
    const { token: renewed } = await createOffline(BOB)
    const keyOf = (text: string) => previewSessionKeyOf('pr-1--portal.test', text)
    const ticket = {
      keyOf,
      spent: { digest: 't', expiresAtMs: test.nowMs + MINUTE },
      device: '',
      address: '',
    }
    const preview = await test.sessions.handOver({ parent: sessionKeyOf(renewed), ...ticket })
    if (preview.kind !== 'started') throw new Error(preview.kind)
    expect(await test.sessions.find(keyOf(preview.token), { touch: false })).toMatchObject(BOB)
    expect((await test.sessions.createOfflineSession(keyOf(preview.token))).kind).toBe('parent_ended')
  })

  it('goes on without the browser, is proven, and says what the issuer says now', async () => {
    const { key, token } = await createOffline()
    const agent = await access(key)
    await test.sessions.signOut(sessionKeyOf(token), 'one')
    for (let day = 0; day < 29; day += 1) {
      test.nowMs += DAY
      const { due } = await test.sessions.listDue()
      const vouched = { ...ALICE.vouched, groups: [`day-${day}`] }
      for (const row of due) test.sessions.markProven(row, 'r', { vouched })
      await test.sessions.synchronise()
      await test.sessions.tidy()
      for (const grant of await grants.ofAccount(ALICE)) grants.noteUse(grant)
      await grants.synchronise()
      await grants.tidy()
      expect(await offline(key)).toMatchObject({ vouched: { groups: [`day-${day}`] } })
    }
    expect(await grants.find(agent)).toBeNull() // an access token lives for a quarter of an hour
    expect(await grants.ofAccount(ALICE)).toHaveLength(1)
    test.nowMs += DAY
    await test.prove()
    await grants.tidy()
    await test.sessions.tidy()
    expect([await grants.ofAccount(ALICE), await offline(key)]).toEqual([[], null])
  })

  it.each<[string, string | null]>([
    ['a refresh token', 'r'],
    ['none', null],
  ])(
    'that ended and that a role of the database revived has an end that is sealed: with %s',
    async (_what, refreshToken) => {
      const { key, token } = await createOffline()
      await access(key)
      const store = test.openStore()
      const found = await store.sessions.find(key)
      if (found === null) throw new Error('no row')
      // The role has no secret: what it puts back is what a gate sealed.
      const plain = { ...found, isProvable: refreshToken !== null }
      const row = { ...plain, refresh: sealRow(createSeal('s'.repeat(32)), plain, refreshToken) }
      await test.sessions.signOut(sessionKeyOf(token), 'account')
      const limitMs = refreshToken === null ? 60 * MINUTE : 4 * DAY
      const revive = async () => {
        const again = { ...row, provenAtMs: test.nowMs, lastSeenAtMs: test.nowMs }
        await store.ends.remove([{ key, reason: null, endedAtMs: test.nowMs }])
        await store.sessions.insert(again, { digest: `revived ${test.nowMs}`, expiresAtMs: test.nowMs })
        test.restart()
        return Promise.resolve(offline(key)).catch(({ code }) => code)
      }
      test.nowMs += limitMs - 1
      const isDue = 'identity_unavailable' // asked about at the provider first: its proof is the one that is sealed
      expect(await revive()).toEqual(refreshToken === null ? expect.anything() : isDue)
      test.nowMs += 1
      expect(await revive()).toBeNull()
    },
  )

  it('49 tells the browser’s session, too, what the issuer says now', async () => {
    const { key, token } = await createOffline()
    const [row] = (
      await test.sessions.ofSameAccount(
        (await test.sessions.find(sessionKeyOf(token), { touch: false })) ?? raise(),
      )
    ).filter((one) => one.key === key)
    test.sessions.markProven(row ?? raise(), 'r', { vouched: { ...ALICE.vouched, groups: ['now'] } })
    expect(await test.sessions.find(sessionKeyOf(token), { touch: false })).toMatchObject({
      vouched: { groups: ['now'] },
    })
  })

  it('cannot be proven where the issuer gave no refresh token: then it ends after an hour, with all that hangs on it', async () => {
    const spent = { digest: 'd', expiresAtMs: test.nowMs + MINUTE }
    const started = await test.sessions.start({
      identity: ALICE,
      refreshToken: null,
      spent,
      device: '',
      address: '',
    })
    if (started.kind !== 'started') throw new Error(started.kind)
    const result = await test.sessions.createOfflineSession(sessionKeyOf(started.token))
    if (result.kind !== 'offline') throw new Error(result.kind)
    const agent = await access(result.key)
    test.nowMs += 59 * MINUTE
    expect(await offline(result.key)).not.toBeNull()
    test.nowMs += MINUTE
    expect(await offline(result.key)).toBeNull()
    await test.sessions.tidy()
    expect(await grants.find(agent)).toBeNull()
  })

  it.each<[string, (key: string, token: string) => Promise<unknown>]>([
    ['the proof fails', (key) => test.sessions.end(key, 'one', 'unproven')],
    ['the account is gone', (key) => test.sessions.end(key, 'account', 'account')],
    ['the issuer says so', () => test.sessions.endOf(ALICE.issuer, { sub: ALICE.sub })],
    [
      'the reader signs out everywhere',
      (_key, token) => test.sessions.signOut(sessionKeyOf(token), 'account'),
    ],
    [
      'an operator revokes the account',
      async () => {
        const operator = test.openStore()
        await operator.operators.revoke({ email: ALICE.email }, test.nowMs)
        await operator.close()
        await test.sessions.synchronise()
      },
    ],
  ])('49 ends with its grants, and the browser, when %s', async (_how, end) => {
    const { key, token } = await createOffline()
    const agent = await access(key)
    expect(await grants.find(agent)).not.toBeNull()
    await end(key, token)
    expect([await offline(key), await grants.find(agent), await test.isIn(token)]).toEqual([
      null,
      null,
      false,
    ])
    expect(await grants.ofAccount(ALICE)).toEqual([])
  })

  it('tells the browser why it is over', async () => {
    const { key, token } = await createOffline()
    await test.sessions.end(key, 'one', 'unproven')
    expect(await test.sessions.findEndReason(sessionKeyOf(token))).toBe('unproven')
  })
})

describe('rows of a grant', () => {
  const edit = (sql: string) => {
    const db = new DatabaseSync(test.file)
    db.exec(sql)
    db.close()
  }

  it.each([
    ["UPDATE grants SET session = 'OTHER'", 'of somebody else'],
    ['UPDATE grants SET edition = NULL', 'of a wider edition'],
    ['UPDATE grants SET expires_at = expires_at + 1', 'that lives longer'],
    ["UPDATE grant_tokens SET grant_id = 'other'", 'with a token of somebody else'],
    ['UPDATE grant_tokens SET expires_at = expires_at + 1', 'with a token that lives longer'],
    ["UPDATE grant_tokens SET use = 'code'", 'with a token for something else'],
    ["UPDATE grants SET kind = 'grant'", 'of another kind'],
  ])('77 that only a database wrote (%s) are nobody’s: a grant %s', async (sql) => {
    const [mine, theirs] = [await createOffline(), await createOffline(BOB)]
    const made = await grants.makePersonal({
      ...{
        session: mine.key,
        account: ALICE,
        name: 'CI',
        edition: 'everyone',
        expiresAtMs: test.nowMs + DAY,
      },
    })
    const other = await grants.makePersonal({
      ...{ session: theirs.key, account: BOB, name: 'CI', edition: null, expiresAtMs: test.nowMs + DAY },
    })
    const [token, foreign] = [made?.token ?? '', other?.token ?? '']
    expect([await grants.find(token), await grants.find(foreign)]).toMatchObject([{ id: made?.grant.id }, {}])
    edit(
      `${sql.replace('OTHER', theirs.key).replace("'other'", `'${other?.grant.id}'`)} WHERE ${
        sql.includes('grant_tokens') ? `digest = '${digestOfToken(token)}'` : `id = '${made?.grant.id}'`
      }`,
    )
    expect(await grants.find(token)).toBeNull()
    expect(await grants.find(foreign)).not.toBeNull()
  })

  it('of a personal token end within a year, and it is no code', async () => {
    const { key } = await createOffline()
    const made = await grants.makePersonal({
      ...{ session: key, account: ALICE, name: 'CI', edition: null, expiresAtMs: test.nowMs + 800 * DAY },
    })
    expect(made?.grant.expiresAtMs).toBe(test.nowMs + 365 * DAY)
    expect(await grants.redeem(made?.token ?? '', () => true)).toEqual({ kind: 'unknown' })
    expect(await grants.revoke(made?.token ?? '', '')).toBeNull()
  })

  it('hold no token', async () => {
    const { key } = await createOffline()
    const agent = await access(key)
    const db = new DatabaseSync(test.file)
    const text = JSON.stringify([
      db.prepare('SELECT * FROM grant_tokens').all(),
      db.prepare('SELECT * FROM grants').all(),
    ])
    db.close()
    expect(text).not.toContain(agent.slice('sekisho_agent_'.length))
    expect(text).toContain(digestOfToken(agent))
  })
})

function raise(): never {
  throw new Error('there is none')
}
