import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SearchLogStore } from '../../search-log/search-log-store.ts'

/** Contract of every store of the search log. */
export function describeSearchLog(
  name: string,
  create: () => Promise<{ readonly store: SearchLogStore } & AsyncDisposable>,
): void {
  describe(`${name} as a search log`, () => {
    let test: Awaited<ReturnType<typeof create>>
    beforeEach(async () => {
      test = await create()
    })
    afterEach(() => test[Symbol.asyncDispose]())
    const readFrom = (day: string) => Array.fromAsync(test.store.read(day))

    it('keeps records by day and forgets old days', async () => {
      const { store } = test
      await store.append('2026-11-22', { q: '表', rank: 2, page: '/docs/a', after: '無い' })
      await store.append('2026-11-20', { q: '一日目', hits: 0 })
      await store.append('2026-11-21', {
        q: '二日目',
        hits: 0,
        by: 'agent',
        edition: 'staff',
        reader: '2026-11-16 a',
      })
      expect(await readFrom('2026-11-21')).toEqual([
        { q: '二日目', hits: 0, by: 'agent', edition: 'staff', reader: '2026-11-16 a' },
        { q: '表', rank: 2, page: '/docs/a', after: '無い' },
      ])
      await store.removeBefore('2026-11-22')
      expect(await readFrom('2026-11-01')).toEqual([{ q: '表', rank: 2, page: '/docs/a', after: '無い' }])
      await store.removeBefore(null)
      expect(await readFrom('2026-11-01')).toEqual([])
    })

    it('takes any typed text', async () => {
      const q = `a\n{"q":"x","hits":1}\u0000\u2028\u202e'; DROP TABLE x --\ud800`
      await test.store.append('2026-11-22', { q, hits: 1 })
      expect(await readFrom('2026-11-22')).toHaveLength(1)
    })
  })
}
