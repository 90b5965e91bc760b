import { expect, it } from 'vitest'
import type { AuditHealth } from '../../audit/index.ts'
import { ALL_OK } from '../../testing/health.ts'
import { type HealthSources, readHealth } from './health.ts'
import { createStoreState, watchStore } from './store-watch.ts'

const MINUTE = 60_000
const AUDIT: AuditHealth = { state: 'ok', waiting: 0, lagMs: 0, held: 0, restored: 0 }
const SOUND: HealthSources = {
  audit: () => AUDIT,
  auditFailures: () => 0,
  store: () => 'ok',
  signInState: () => 'ok',
  log: { isFailing: false, droppedLines: 0 },
  release: () => ({ state: 'ready', id: '20261122T000000Z-0a1b2c3d', refused: null }),
  policy: () => 'ok',
  rules: () => 'ok',
  sessions: () => 3,
  oldestProofMs: () => 4 * MINUTE,
  revalidationIntervalMs: 5 * MINUTE,
  revalidationGraceMs: 30 * MINUTE,
  now: () => Date.parse('2026-11-22T01:00:00Z'),
}

it.each<[what: string, changes: Partial<HealthSources>, status: string, parts: object]>([
  ['nothing', {}, 'ok', {}],
  ['sign-ins that fail', { signInState: () => 'degraded' }, 'degraded', { sign_in: 'degraded' }],
  [
    'a slow disk of the audit trail',
    { audit: () => ({ ...AUDIT, state: 'holding' }) },
    'degraded',
    { audit: 'degraded' },
  ],
  [
    'the disk of the audit trail',
    { audit: () => ({ ...AUDIT, state: 'failing' }) },
    'degraded',
    { audit: 'degraded' },
  ],
  [
    'an audit trail that is closed',
    { audit: () => ({ ...AUDIT, state: 'closed' }) },
    'failed',
    { audit: 'failed' },
  ],
  ['a locked store', { store: () => 'failing' }, 'degraded', { store: 'degraded' }],
  ['a store that is gone', { store: () => 'closed' }, 'failed', { store: 'failed' }],
  ['the log', { log: { isFailing: true, droppedLines: 9 } }, 'degraded', { log: 'degraded' }],
  ['no release', { release: () => ({ state: 'none' }) }, 'failed', { release: 'failed' }],
  [
    'a damaged release',
    { release: () => ({ state: 'broken', reason: 'r' }) },
    'failed',
    { release: 'failed' },
  ],
  [
    'a new release that is refused',
    { release: () => ({ state: 'ready', id: '20261122T000000Z-0a1b2c3d', refused: 'r' }) },
    'degraded',
    { release: 'degraded' },
  ],
  ['a policy file that is wrong', { policy: () => 'degraded' }, 'degraded', { policy: 'degraded' }],
  ['no valid policy', { policy: () => 'failed' }, 'failed', { policy: 'failed' }],
  ['no valid publish rules', { rules: () => 'failed' }, 'degraded', { rules: 'failed' }],
  ['a late proof', { oldestProofMs: () => 6 * MINUTE }, 'degraded', { proofs: 'degraded' }],
  ['proofs beyond the grace', { oldestProofMs: () => 36 * MINUTE }, 'degraded', { proofs: 'failed' }],
])('says that %s is wrong', (_row, changes, status, parts) => {
  const { health } = readHealth({ ...SOUND, ...changes })
  expect(health).toEqual({ status, parts: { ...ALL_OK, ...parts } })
})

it('reads the age of a release from its id', () => {
  expect(readHealth(SOUND).release).toEqual({ id: '20261122T000000Z-0a1b2c3d', ageSeconds: 3_600 })
})

it('times the calls of a store, and closes it after half a minute of failures or when it was replaced', async () => {
  let nowMs = 0
  let failure: Error | null = null
  const { note, state } = createStoreState(() => nowMs)
  const calls: number[] = []
  const onCall = (durationMs: number, error: unknown) => {
    calls.push(durationMs)
    note(error)
  }
  const work = (result: string) => {
    nowMs += 5
    if (failure !== null) throw failure
    return result
  }
  const store = watchStore({ read: work, ask: async (text: string) => work(text) }, onCall, () => nowMs)
  expect([store.read('a'), await store.ask('b'), state()]).toEqual(['a', 'b', 'ok'])
  failure = new Error('locked')
  expect(() => store.read('a')).toThrow('locked')
  expect(state()).toBe('failing')
  nowMs += 30_000
  await expect(store.ask('b')).rejects.toThrow('locked')
  expect(state()).toBe('closed')
  failure = null
  expect([store.read('a'), state(), calls]).toEqual(['a', 'ok', [5, 5, 5, 5, 5]])
  failure = Object.assign(new Error('gone'), { code: 'session_store_replaced' })
  expect(() => store.read('a')).toThrow('gone')
  expect(state()).toBe('closed')
})
