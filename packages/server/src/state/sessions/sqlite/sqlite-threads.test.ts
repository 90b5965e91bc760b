import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { UnavailableError } from '../../../storage/unavailable-error.ts'
import { describeSessionStore } from '../../testing/contracts/session-store/index.ts'
import { insert, OWN, rowOf } from '../../testing/contracts/session-store/store-under-test.ts'
import { StoreReplacedError } from './connection.ts'
import { openSqliteSessions } from './sqlite-sessions.ts'
import { openSqliteSessionsInThreads } from './sqlite-threads.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sekisho-threads-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describeSessionStore('SQLite in threads', async () => {
  const own = mkdtempSync(join(tmpdir(), 'sekisho-threads-'))
  return {
    open: (context) => openSqliteSessionsInThreads(join(own, 'sessions.db'), { context }),
    [Symbol.asyncDispose]: async () => rmSync(own, { recursive: true }),
  }
})

/** The longest time for which this thread did nothing else while `work` was under way. */
async function longestStallMs(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0
  let lastMs = performance.now()
  const tick = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - lastMs)
    lastMs = performance.now()
  }, 1)
  await work()
  clearInterval(tick)
  return longestMs
}

describe('SQLite whose disk takes two seconds for a sync', () => {
  const threadUrl = new URL('../../testing/slow-thread.ts', import.meta.url)
  const file = () => join(folder, 'sessions.db')

  it('76 stops neither this thread nor who reads', async () => {
    await using store = closing(await openSqliteSessionsInThreads(file(), { context: OWN, threadUrl }))
    let foundAfterMs = Number.POSITIVE_INFINITY
    const stallMs = await longestStallMs(async () => {
      const startedMs = performance.now()
      const inserted = insert(store, rowOf('a'))
      await store.sessions.find('key-a')
      foundAfterMs = performance.now() - startedMs
      expect(await inserted).toBe('inserted')
      expect(performance.now() - startedMs).toBeGreaterThan(2_000)
    })
    expect(foundAfterMs).toBeLessThan(1_000)
    expect(stallMs).toBeLessThan(500)
    expect(await store.sessions.find('key-a')).toMatchObject({ id: 'a' })
  })

  it('76 costs sign-ins that come together one sync, and each is whole or not at all', async () => {
    await using store = closing(await openSqliteSessionsInThreads(file(), { context: OWN, threadUrl }))
    const startedMs = performance.now()
    const first = insert(store, rowOf('first'))
    const many = Array.from({ length: 30 }, (_, n) => insert(store, rowOf(`n${n}`)))
    const refused = insert(store, rowOf('x', { sub: 'uid-other', email: 'n1@example.co.jp' }))
    const unwritable = insert(store, rowOf('y', { id: 'n2' }), 'another') // the id is taken
    expect(await first).toBe('inserted')
    expect(new Set(await Promise.all(many))).toEqual(new Set(['inserted']))
    expect(await refused).toBe('account_changed')
    await expect(unwritable).rejects.toThrow(/UNIQUE/)
    expect(performance.now() - startedMs).toBeLessThan(3 * 2_000 + 1_500)
    expect(await store.sessions.find('key-n29')).toMatchObject({ id: 'n29' })
    expect(await insert(store, rowOf('y', { sub: 'uid-y' }), 'another')).toBe('inserted') // it spent nothing
  }, 30_000)

  it('76 is given up after the time that a response may wait', async () => {
    const options = { context: OWN, threadUrl, callTimeoutMs: 500 }
    await using store = closing(await openSqliteSessionsInThreads(file(), options))
    await expect(insert(store, rowOf('a'))).rejects.toThrow(UnavailableError)
  })
})

describe('SQLite in threads', () => {
  it('says why it cannot be opened, and when it was replaced', async () => {
    const file = join(folder, 'sessions.db')
    writeFileSync(file, 'this is not a database, and long enough to be read as one'.repeat(100))
    const opening = openSqliteSessionsInThreads(file, { context: OWN })
    await expect(opening).rejects.toMatchObject({ code: 'ERR_SQLITE_ERROR' })
    rmSync(file)
    await using store = closing(await openSqliteSessionsInThreads(file, { context: OWN }))
    rmSync(file)
    await expect(store.sessions.find('key-a')).rejects.toThrow(StoreReplacedError)
    expect(store.changes.hears()).toBe(false)
  })

  it('takes what another process revokes, and what is written at the same time', async () => {
    const file = join(folder, 'sessions.db')
    await using store = closing(await openSqliteSessionsInThreads(file, { context: OWN }))
    for (const id of ['a', 'b']) await insert(store, rowOf(id))
    const operator = openSqliteSessions(file, { context: null, lockTimeoutMs: 5_000 })
    const [revoked] = await Promise.all([
      operator.operators.revoke({ id: 'a' }, 9_000),
      store.sessions.markSeen([{ key: 'key-b', lastSeenAtMs: 8_000 }]),
    ])
    await operator.close()
    expect(revoked).toHaveLength(1)
    expect(await store.changes.takeRevocations()).toEqual(revoked)
    expect(await store.sessions.find('key-b')).toMatchObject({ lastSeenAtMs: 8_000 })
  })
})

describe('SQLite whose thread ends by itself', () => {
  const threadUrl = new URL('../../testing/crashing-thread.ts', import.meta.url)

  it('76 fails what was asked of it, says so, and goes on with another that knows what was written', async () => {
    const file = join(folder, 'sessions.db')
    const problems: string[] = []
    const onProblem = (problem: string) => problems.push(problem)
    const options = { context: OWN, threadUrl, onProblem }
    await using store = closing(await openSqliteSessionsInThreads(file, options))
    let distrusted = 0
    store.changes.subscribe(() => {
      distrusted += 1
    })
    await insert(store, rowOf('a'))
    await store.changes.takeRevocations()
    distrusted = 0
    writeFileSync(`${file}.crash`, '')
    await expect(insert(store, rowOf('b'))).rejects.toThrow(UnavailableError)
    expect(await store.sessions.find('key-a')).toMatchObject({ id: 'a' }) // who only reads goes on
    await vi.waitFor(async () => expect(await insert(store, rowOf('b'))).toBe('inserted'), { timeout: 5_000 })
    expect(await store.sessions.find('key-b')).toMatchObject({ id: 'b' })
    await store.changes.takeRevocations()
    expect(distrusted).toBe(1) // what others wrote meanwhile is looked at
    expect(problems).toEqual([
      expect.stringMatching(/^the thread of sessions ended \(.*\); another is started$/),
      'the thread of sessions is back',
    ])
  })
})

/** The store, closed at the end of its scope. */
function closing<Store extends { close(): Promise<void> }>(store: Store): Store & AsyncDisposable {
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() })
}
