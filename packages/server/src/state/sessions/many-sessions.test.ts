import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeManySessions } from '../testing/many-sessions.ts'
import { HOUR_LIMITS } from '../testing/test-sessions.ts'
import { createSeal } from './rows/seal.ts'
import { sessionKeyOf } from './rows/session-key.ts'
import { createSessions } from './sessions.ts'
import { openSqliteSessions } from './sqlite/sqlite-sessions.ts'

const MANY = process.env.TEST_LONG === undefined ? 10_000 : 100_000
const seal = createSeal('s'.repeat(32))

let folder: string
let rows = 0
/** Counts the rows that leave the store: work that grows with them would stop the event loop. */
function counted<Part extends object>(part: Part): Part {
  return new Proxy(part, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method === 'object' && method !== null) return counted(method)
      if (typeof method !== 'function') return method
      return (...args: never[]) => {
        const result: unknown = Reflect.apply(method, target, args)
        if (!(result instanceof Promise)) return result
        return result.then((value) => {
          if (Array.isArray(value)) rows += value.length
          else if (value !== null && typeof value === 'object' && 'key' in value) rows += 1
          return value
        })
      }
    },
  })
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sekisho-many-'))
  rows = 0
})
afterEach(() => rmSync(folder, { recursive: true }))

it(`neither the start with ${MANY} sessions nor a revocation reads more than the sessions concerned`, async () => {
  const file = join(folder, 'sessions.db')
  await openSqliteSessions(file, { context: null }).close()
  writeManySessions(file, MANY, { seal, atMs: Date.now() })
  const store = openSqliteSessions(file, { context: null })
  const sessions = createSessions({ store: counted(store), seal, limits: HOUR_LIMITS, now: Date.now })
  await sessions.synchronise()
  await sessions.tidy()
  expect([rows, sessions.size]).toEqual([0, MANY])

  const find = async (n: number) => sessions.find(sessionKeyOf(`token-${n}`), { touch: true })
  for (let n = 0; n < 50; n += 1) expect(await find(n)).not.toBeNull()
  expect(rows).toBe(50)
  const operator = openSqliteSessions(file, { context: null })
  await operator.operators.revoke({ email: 'p7@example.co.jp' }, 0)
  await operator.close()
  expect(await sessions.synchronise()).toHaveLength(1)
  for (let n = 0; n < 50; n += 1) expect((await find(n)) === null).toBe(n === 7)
  for (let n = 0; n < 50; n += 1) expect((await find(n)) === null).toBe(n === 7)
  expect(rows).toBe(50 + 1 + 49)
  await store.close()
}, 180_000)
