import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { dataFolderAt } from '../../storage/data-folder.ts'
import { UnavailableError } from '../../storage/unavailable-error.ts'
import type { Reading } from '../chain/audit-event.ts'
import { openAuditKey } from '../chain/audit-key.ts'
import type { AuditStore } from '../chain/audit-store.ts'
import { openAuditFolder } from '../files/audit-folder.ts'
import { verifyFolderTrail } from '../folder-trail.ts'
import { type AuditOptions, type AuditTrail, openAuditTrail } from './audit-trail.ts'

let root: string
let nowMs: number
let elapsedMs: number
let failures: unknown[]

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sekisho-audit-'))
  nowMs = Date.parse('2026-11-21T00:00:00Z')
  elapsedMs = 0
  failures = []
})

const folder = () => dataFolderAt(root)
const openStore = () => openAuditFolder({ places: folder().audit, chain: 'gate', now: () => nowMs })
const open = (changes: Partial<AuditOptions> = {}): Promise<AuditTrail> =>
  openAuditTrail({
    chain: 'gate',
    store: openStore(),
    key: openAuditKey(folder().auditKey),
    now: () => nowMs,
    elapsed: () => elapsedMs,
    onFailure: (error) => failures.push(error),
    ...changes,
  })
const linesOf = () => {
  const { lines } = folder().audit
  const text = readdirSync(lines)
    .sort()
    .map((name) => readFileSync(join(lines, name), 'utf8'))
    .join('')
  return text.split('\n').filter((line) => line.startsWith('{"seq"'))
}
const records = () => linesOf().map((line) => JSON.parse(line))
const verify = () => verifyFolderTrail(folder())

const ALICE: Reading['reader'] = {
  email: 'a@example.co.jp',
  issuer: 'https://issuer.test',
  sub: 'uid-a',
  id: 'session-a',
}

function give(trail: AuditTrail, path: string): Promise<void> | null {
  return trail.recordReading({
    ...{ event: 'page_read', reader: ALICE, path, release: 'r1', request: `request-of-${path}` },
  })
}

/** A store whose disk can be taken away and given back, or made to hang. */
function breakable(): AuditStore & { disk: 'works' | 'fails' | 'hangs'; appends: number } {
  const store = openStore()
  const broken = {
    ...store,
    disk: 'works' as 'works' | 'fails' | 'hangs',
    appends: 0,
    async append(batch: Parameters<AuditStore['append']>[0]) {
      broken.appends += 1
      if (broken.disk === 'fails') throw new Error('no space left on device')
      while (broken.disk === 'hangs') await new Promise((resolve) => setTimeout(resolve, 5))
      await store.append(batch)
    },
  }
  return broken
}

describe('the audit trail', () => {
  it('58 keeps control characters and forged lines inside their field', async () => {
    const forged = '/x\n{"seq":9,"event":"signed_in"}\r\u001b[2J\u0085\u2028\u202e'
    const trail = await open()
    give(trail, forged)
    await trail.flush()
    expect(linesOf()).toHaveLength(1)
    const [line = ''] = linesOf()
    expect(line).toMatch(/^[\x20-\x7e]*$/)
    expect(JSON.parse(line).path).toBe(forged)
  })

  it('gives each reading a line of its own, also of a page that is read again and again', async () => {
    const counted: string[] = []
    const trail = await open({ now: () => nowMs++, onRecord: (event) => counted.push(event) })
    for (let count = 0; count < 3; count += 1) give(trail, '/loop')
    trail.record('signed_out', { session: ALICE.id })
    give(trail, '/loop')
    await trail.flush()
    const events = ['page_read', 'page_read', 'page_read', 'signed_out', 'page_read']
    expect(records().map(({ event }) => event)).toEqual(events)
    expect(records()[1]).toEqual({
      ...{ seq: 2, prev: expect.any(String), at: '2026-11-21T00:00:00.002Z', event: 'page_read' },
      ...{ email: ALICE.email, issuer: ALICE.issuer, sub: ALICE.sub, session: ALICE.id },
      ...{ path: '/loop', release: 'r1' },
      ...{ request: 'request-of-/loop', hash: expect.any(String) },
    })
    expect(counted).toEqual(events)
    await trail.close()
    expect((await verify()).problems).toEqual([])
  })

  it('gives a page to the disk within 50 ms, and many with one write', async () => {
    const store = breakable()
    const trail = await open({ store })
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    for (let count = 0; count < 500; count += 1) give(trail, `/${count}`)
    expect(store.appends).toBe(0)
    vi.advanceTimersByTime(50)
    vi.useRealTimers()
    expect(store.appends).toBe(1)
    await trail.flush()
    expect([store.appends, linesOf().length]).toEqual([1, 500])
  })

  it('has a sign-in on the disk when its promise resolves, and sign-ins that come together share their syncs', async () => {
    const store = breakable()
    const trail = await open({ store })
    await trail.recordDurably('signed_in', { session: 'a' })
    expect(records().map(({ session }) => session)).toEqual(['a'])
    const many = Array.from({ length: 100 }, (_, n) => trail.recordDurably('signed_in', { session: `${n}` }))
    await Promise.all(many)
    expect(linesOf()).toHaveLength(101)
    expect(store.appends).toBeLessThanOrEqual(3)
  })

  it('holds responses back while the oldest line has waited for over two seconds, each until its own line is written', async () => {
    const store = breakable()
    const trail = await open({ store })
    store.disk = 'hangs'
    expect(give(trail, '/a')).toBeNull()
    const first = trail.flush()
    elapsedMs = 2_000
    expect(give(trail, '/b')).toBeNull()
    elapsedMs = 2_001
    const left: string[] = []
    const held = [
      give(trail, '/c')?.then(() => left.push(`/c of ${linesOf().length}`)),
      trail.defer()?.then(() => left.push('its script')),
      trail.recordDurably('signed_in', {}).then(() => left.push('the sign-in')),
    ]
    expect(trail.health()).toEqual({ state: 'holding', waiting: 4, lagMs: 2_001, held: 3, restored: 0 })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(left).toEqual([])
    store.disk = 'works'
    await Promise.all([first, ...held])
    expect(left).toEqual(['/c of 4', 'its script', 'the sign-in'])
    expect(give(trail, '/d')).toBeNull()
    await trail.flush()
    expect(trail.health()).toEqual({ state: 'ok', waiting: 0, lagMs: 0, held: 0, restored: 0 })
  })

  it('closes the gate after fifteen seconds of a disk that takes nothing, and opens it again with nothing lost', async () => {
    const store = breakable()
    const trail = await open({ store })
    store.disk = 'fails'
    give(trail, '/a')
    await trail.flush()
    expect(failures).toHaveLength(1)
    expect(trail.health()).toEqual({ state: 'failing', waiting: 1, lagMs: 0, held: 0, restored: 0 })
    elapsedMs = 15_000
    const late = give(trail, '/b')
    elapsedMs = 15_001
    expect(trail.health()).toMatchObject({ state: 'closed', waiting: 2, lagMs: 15_001, held: 1, restored: 0 })
    expect(() => give(trail, '/c')).toThrow(UnavailableError)
    expect(() => trail.defer()).toThrow(UnavailableError)
    await expect(trail.recordDurably('signed_in', {})).rejects.toThrow(UnavailableError)
    trail.record('signed_out', { session: 'a' }) // what ends is recorded as long as memory lasts
    await trail.flush()
    expect(failures, 'one of a row').toHaveLength(1)
    store.disk = 'works'
    await Promise.all([trail.flush(), late])
    expect(trail.health()).toEqual({ state: 'ok', waiting: 0, lagMs: 0, held: 0, restored: 0 })
    give(trail, '/d')
    await trail.flush()
    expect(records().map(({ path = 'out' }) => path)).toEqual(['/a', '/b', 'out', '/d'])
  })

  it('holds two thousand responses, each for fifteen seconds at most, and closes the gate to more', async () => {
    const store = breakable()
    const trail = await open({ store })
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    store.disk = 'fails'
    give(trail, '/a')
    elapsedMs = 2_001
    const held = Array.from({ length: 2_000 }, (_, n) => give(trail, `/${n}`))
    const ends = Promise.allSettled(held)
    expect(() => give(trail, '/one-too-many')).toThrow(UnavailableError)
    expect(trail.health().state).toBe('closed')
    await vi.advanceTimersByTimeAsync(15_000)
    vi.useRealTimers()
    expect(new Set((await ends).map(({ status }) => status))).toEqual(new Set(['rejected']))
    expect(trail.health().held).toBe(0)
    store.disk = 'works'
    await trail.flush()
    expect(linesOf()).toHaveLength(2_001)
  })

  it('tries again by itself', async () => {
    const store = breakable()
    const trail = await open({ store })
    store.disk = 'fails'
    give(trail, '/a')
    await trail.flush()
    store.disk = 'works'
    await expect.poll(() => trail.health().waiting).toBe(0)
  })

  it('refuses a sign-in whose line does not reach the disk in time', async () => {
    const store = breakable()
    const trail = await open({ store })
    store.disk = 'hangs'
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const refused = expect(trail.recordDurably('signed_in', {})).rejects.toThrow(UnavailableError)
    await vi.advanceTimersByTimeAsync(15_000)
    await refused
    store.disk = 'works'
    await vi.advanceTimersByTimeAsync(5)
    vi.useRealTimers()
    await trail.flush()
  })

  it('leaves to the system what a disk that hangs does not take, and the next start goes on behind it', async () => {
    const store = breakable()
    const trail = await open({ store })
    store.disk = 'hangs'
    const line = trail.recordDurably('signed_in', {})
    give(trail, '/a')
    expect(await trail.leave()).toBe(true)
    expect(records().map(({ event }) => event)).toEqual(['signed_in', 'page_read'])
    expect(() => give(trail, '/b')).toThrow(UnavailableError)
    store.disk = 'works' // what hung goes on, and changes nothing
    await line
    const next = await open()
    await next.close()
    expect(
      records()
        .map(({ event }) => event)
        .slice(2),
    ).toEqual(['restarted_uncleanly', 'gate_stopped'])
    expect((await verify()).problems).toEqual([])
  })

  it('reports lost lines where the store cannot take them without a sync', async () => {
    const { leave: _none, ...store } = breakable()
    const trail = await open({ store })
    expect(await trail.leave()).toBe(true) // nothing waits
    const other = await open({ store: { ...store, append: () => new Promise(() => {}) } })
    give(other, '/a')
    expect(await other.leave()).toBe(false)
  })

  it('holds so many lines and no more', async () => {
    const store = breakable()
    const trail = await open({ store })
    store.disk = 'fails'
    const flood = () => {
      for (let count = 0; count < 10_001; count += 1) give(trail, `/flood/${count}`)
    }
    expect(flood).toThrow(UnavailableError)
    expect(() => trail.record('signed_out', {})).toThrow(UnavailableError)
    store.disk = 'works'
    await trail.flush()
    expect(linesOf()).toHaveLength(10_000)
  })

  it('serves no content once its folder is gone, and makes no new one in silence', async () => {
    const trail = await open()
    give(trail, '/a')
    await trail.flush()
    renameSync(folder().audit.lines, join(root, 'taken'))
    mkdirSync(folder().audit.lines)
    give(trail, '/b')
    await trail.flush()
    expect(failures).not.toEqual([])
    elapsedMs = 15_001
    expect(() => give(trail, '/c')).toThrow(UnavailableError)
    expect(readdirSync(folder().audit.lines)).toEqual([])
  })

  it('notes where other chains end, and verification holds them to it', async () => {
    const other = {
      chain: 'other',
      store: openAuditFolder({ places: folder().audit, chain: 'other', now: () => nowMs }),
    }
    const second = await open(other)
    await second.recordDurably('signed_in', {})
    await second.close()
    const trail = await open()
    await trail.tend(1)
    await trail.tend(1)
    await trail.close()
    expect(records().filter(({ event }) => event === 'head_noted')).toMatchObject([
      { chain: 'other', line: 2 },
    ])
    expect((await verify()).problems).toEqual([])
    rmSync(join(folder().audit.lines, 'other-000001.jsonl'))
    rmSync(join(folder().audit.heads, 'other.json'))
    expect((await verify()).problems.map(({ problem }) => `${problem}`)).toEqual([
      'another chain noted line 2, which is missing',
    ])
  })
})
