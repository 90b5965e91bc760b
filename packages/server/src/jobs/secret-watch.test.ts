import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createGrants } from '../state/grants/index.ts'
import { SecretError, type SecretInUse } from '../state/secrets/index.ts'
import {
  createChangingSeal,
  createSeal,
  createSessions,
  type Seal,
  sessionKeyOf,
} from '../state/sessions/index.ts'
import { ALICE, createTestSessions, LIMITS, type TestSessions } from '../state/testing/index.ts'
import { createSecretWatch } from './secret-watch.ts'

const DAY_MS = 86_400_000
const [BEFORE, AFTER] = ['s'.repeat(32), 't'.repeat(32)] // tests' sessions are sealed with the first
let test: TestSessions
let log: string[]
let answer: () => Promise<SecretInUse>

beforeEach(() => {
  test = createTestSessions()
  log = []
  answer = async () => 'current'
})
afterEach(() => test[Symbol.asyncDispose]())

function open(current: string, previous: string | null, holdProving = test.store.proofs.holdProving) {
  const seal = createChangingSeal({ current, previous })
  const times = { now: () => test.nowMs, elapsed: () => test.nowMs }
  const look = createSecretWatch({
    ...{ seal, hasPreviousSecret: previous !== null },
    store: { ...test.store, proofs: { ...test.store.proofs, holdProving } },
    agreeOnSecret: () => answer(),
    log: (_level, event, fields) => void log.push(`${event} ${fields?.secret ?? ''}`.trim()),
  })
  /** As another process finds the session: nothing is in memory. */
  const isIn = async (token: string) => {
    const sessions = createSessions({ store: test.store, seal, limits: LIMITS, ...times })
    return (await sessions.find(sessionKeyOf(token), { touch: false })) !== null
  }
  return { seal, look, isIn }
}

it('sessions outlive their secret: after the log says so, the one before opens nothing that is needed', async () => {
  const tokens = [await test.signIn(), await test.signIn()]
  const replacing = open(AFTER, BEFORE)
  for (let looks = 0; looks < 4; looks += 1) await replacing.look()
  expect(log).toEqual(['secret_in_use current', 'previous_secret_unused'])
  const after = open(AFTER, null)
  expect(await Promise.all(tokens.map(after.isIn))).toEqual([true, true])
  expect(await open(BEFORE, null).isIn(tokens[0] ?? '')).toBe(false)
})

it('one of the gates on a database seals again, the others wait for it', async () => {
  const token = await test.signIn()
  const waiting = open(AFTER, BEFORE, async () => false)
  for (let looks = 0; looks < 5; looks += 1) await waiting.look()
  expect(log).toEqual(['secret_in_use current'])
  expect(await open(AFTER, null).isIn(token)).toBe(false)
})

it('grants of agents and scripts outlive the secret, and a forged row stays invalid after it', async () => {
  const offline = await test.sessions.createOfflineSession(sessionKeyOf(await test.signIn()))
  if (offline.kind !== 'offline') throw new Error(offline.kind)
  const grantsWith = (seal: Seal) => createGrants({ store: test.store.grants, seal, now: () => test.nowMs })
  const [who, before] = [{ session: offline.key, account: ALICE }, grantsWith(createSeal(BEFORE))]
  const token = { ...who, name: 'CI', edition: null, expiresAtMs: test.nowMs + DAY_MS }
  const [mine, forged] = [await before.makePersonal(token), await before.makePersonal(token)]
  const begun = await before.begin({ ...who, client: 'c', name: 'Agent', binding: '' })
  const issued = await before.redeem(begun?.code ?? '', () => true)
  if (issued.kind !== 'issued') throw new Error(issued.kind)
  const db = new DatabaseSync(test.file)
  db.prepare('UPDATE grants SET expires_at = expires_at + 1 WHERE id = ?').run(forged?.grant.id ?? '')
  db.close()
  const replacing = open(AFTER, BEFORE)
  await replacing.look()
  const renewed = await grantsWith(replacing.seal).refresh(issued.refresh, 'c')
  if (renewed.kind !== 'issued') throw new Error(renewed.kind)
  for (let looks = 0; looks < 4; looks += 1) await replacing.look()
  expect(log).toEqual(['secret_in_use current', 'previous_secret_unused'])
  const after = grantsWith(createSeal(AFTER))
  expect(await after.find(mine?.token ?? '')).toMatchObject({ id: mine?.grant.id })
  expect(await after.find(forged?.token ?? '')).toBeNull()
  expect(await after.find(issued.access)).toMatchObject({ id: issued.grant.id })
  expect((await after.refresh(renewed.refresh, 'c')).kind).toBe('issued')
  expect(await before.find(mine?.token ?? '')).toBeNull()
})

it('while the one before is in use, both open and it alone closes', async () => {
  answer = async () => 'previous'
  const replacing = open(AFTER, BEFORE)
  await replacing.look()
  const sealed = replacing.seal.close('r', 'c')
  expect(createSeal(BEFORE).open(sealed, 'c')).toBe('r')
  expect(replacing.seal.open(createSeal(AFTER).close('r', 'c'), 'c')).toBe('r')
  expect(await replacing.isIn(await test.signIn())).toBe(true)
})

it('a gate whose secret is no longer in use answers as unavailable, not as signed out', async () => {
  const token = await test.signIn()
  const gate = open(BEFORE, null)
  expect(await gate.isIn(token)).toBe(true)
  answer = () => Promise.reject(new SecretError('another'))
  await expect(gate.look()).rejects.toThrow(SecretError)
  await expect(gate.isIn(token)).rejects.toMatchObject({ code: 'unavailable' })
  answer = async () => 'current'
  await gate.look()
  expect(await gate.isIn(token)).toBe(true)
})
