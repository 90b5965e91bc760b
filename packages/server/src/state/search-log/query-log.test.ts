import { hash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { describeSearchLog } from '../testing/contracts/search-log-contract.ts'
import { createFileSearchLog } from './file-search-log.ts'
import { openQueryLog, SETTLED_MS } from './query-log.ts'
import { readSearchReport } from './search-report.ts'

const DAY_MS = 86_400_000
const ACCOUNT = { issuer: 'i', sub: 'sato' }
let root = ''
let folder = ''
const state = { nowMs: 0 }

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  root = await mkdtemp(join(tmpdir(), 'sekisho-search-log-'))
  folder = join(root, 'search-log')
  state.nowMs = Date.parse('2026-11-21T10:00:00Z')
})
afterEach(async () => {
  vi.useRealTimers()
  await rm(root, { recursive: true, force: true })
})

const open = (days = 30) =>
  openQueryLog({
    store: createFileSearchLog(folder),
    digest: (text) => hash('sha256', text),
    days,
    now: () => state.nowMs,
    onFailure: (error) => {
      throw error
    },
  })
const lines = async (day = '2026-11-21') =>
  (await readFile(join(folder, `${day}.jsonl`), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describeSearchLog('a folder', async () => {
  return { store: createFileSearchLog(folder), async [Symbol.asyncDispose]() {} }
})

describe('openQueryLog', () => {
  it('keeps what a reader settled on, not every key they pressed, and nothing about them', async () => {
    const log = open()
    for (const q of ['k', 'ka', 'kan', '環境構築']) log.searched('session-1', ACCOUNT, { q, hits: 2 })
    log.searched('session-2', ACCOUNT, { q: ' ', hits: 0 })
    vi.advanceTimersByTime(SETTLED_MS)
    await log.flush()
    expect(await lines()).toEqual([{ q: '環境構築', hits: 2 }])
  })

  it('writes a search at once when its result is opened', async () => {
    const log = open()
    log.searched('session-1', ACCOUNT, { q: '失効', hits: 2 })
    log.opened('session-1', { q: '失効', rank: 2, page: '/docs/a' })
    await log.flush()
    expect(await lines()).toEqual([
      { q: '失効', hits: 2 },
      { q: '失効', rank: 2, page: '/docs/a' },
    ])
  })

  it('counts persons of a failed search, who have nothing in common between weeks and queries', async () => {
    const log = open()
    const fail = async (q: string, ...subs: string[]) => {
      for (const sub of subs) {
        log.searched('s', { issuer: 'i', sub }, { q, hits: 0 })
        await log.flush()
      }
    }
    await fail('有給', 'sato', 'sato', 'sato', 'sato', 'sato')
    state.nowMs += 7 * DAY_MS
    await fail('有給', 'sato')
    await fail('ＶＰＮ', 'sato', 'ito')
    await fail('vpn', 'kato')
    const { queries } = await readSearchReport(createFileSearchLog(folder), 30, state.nowMs)
    expect(queries).toMatchObject([
      { q: '有給', withoutHit: 6, persons: 1 },
      { q: 'ＶＰＮ', withoutHit: 3, persons: 3 },
    ])
    const kept = [...(await lines()), ...(await lines('2026-11-28'))].map(({ reader }) => reader)
    expect([kept.length, new Set(kept).size]).toEqual([9, 5])
  })

  it('cannot be made to hold a second line or endless text', async () => {
    const log = open()
    log.opened('s', { q: `a\n{"q":"x","hits":1}\u2028\u202e${'長'.repeat(5_000)}`, rank: 1, page: '/' })
    await log.flush()
    const [only, ...others] = await lines()
    expect([only?.q.length, others]).toEqual([200, []])
  })

  it('keeps the stated number of days', async () => {
    const log = open(2)
    for (const q of ['一日目', '二日目', '三日目']) {
      log.searched('s', ACCOUNT, { q, hits: 1 })
      await log.flush()
      state.nowMs += DAY_MS
    }
    expect(await readdir(folder)).toEqual(['2026-11-22.jsonl', '2026-11-23.jsonl'])
  })

  it('removes old days when it opens, even without searches', async () => {
    const log = open(2)
    log.searched('s', ACCOUNT, { q: 'a', hits: 1 })
    await log.flush()
    state.nowMs += 2 * DAY_MS
    await open(2).flush()
    expect(await readdir(folder)).toEqual([])
  })

  it('keeps nothing when disabled, and removes what there was', async () => {
    const log = open()
    log.searched('s', ACCOUNT, { q: 'a', hits: 1 })
    await log.flush()
    const none = open(0)
    none.searched('s', ACCOUNT, { q: 'b', hits: 1 })
    await none.flush()
    expect(await readdir(root)).toEqual([])
  })
})
