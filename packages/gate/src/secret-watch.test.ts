import { SecretError, type SecretInUse } from '@sekisho/state/secrets'
import { createChangingSeal, createSeal, createSessions, sessionKeyOf } from '@sekisho/state/sessions'
import { createTestSessions, LIMITS, type TestSessions } from '@sekisho/state/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSecretWatch } from './secret-watch.ts'

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

function open(current: string, previous: string | null) {
  const seal = createChangingSeal({ current, previous })
  const times = { now: () => test.nowMs, elapsed: () => test.nowMs }
  const look = createSecretWatch({
    ...{ seal, store: test.store, hasPreviousSecret: previous !== null },
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

it('while the one before is in use, both open and it alone closes', async () => {
  answer = async () => 'previous'
  const replacing = open(AFTER, BEFORE)
  await replacing.look()
  const sealed = replacing.seal.close('r', 'c')
  expect(createSeal(BEFORE).open(sealed, 'c')).toBe('r')
  expect(replacing.seal.open(createSeal(AFTER).close('r', 'c'), 'c')).toBe('r')
  expect(await replacing.isIn(await test.signIn())).toBe(true)
})

it('a gate whose secret is not in use any more says that it cannot answer, not that nobody is signed in', async () => {
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
