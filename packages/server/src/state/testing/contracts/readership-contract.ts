import { describe, expect, it } from 'vitest'
import { readReadership } from '../../readership/index.ts'
import type { ReadershipStore } from '../../readership/readership-store.ts'

/** Stores of one record. */
export interface ReadershipFixture extends AsyncDisposable {
  readonly gate: ReadershipStore
  readonly other: ReadershipStore
}

const readersOf = (path: string, count: number) =>
  Array.from({ length: count }, (_, at) => [path, `digest${at}`] as const)

/** Every implementation of {@link ReadershipStore} passes these. */
export function describeReadership(name: string, create: () => Promise<ReadershipFixture>): void {
  describe(`readership in ${name}`, () => {
    it('counts accounts once a week, five or more, and drops their digests with the week', async () => {
      await using stores = await create()
      const { gate, other } = stores
      await gate.note('2026-11-16', [...readersOf('/a', 6), ...readersOf('/b', 4)])
      await other.note('2026-11-16', readersOf('/a', 5))
      await other.note('2026-11-23', readersOf('/a', 9))
      expect(await gate.ofPages(['/a', '/b'], '2026-01-01')).toEqual([])
      await Promise.all([gate, other].map((store) => store.closeWeeks('2026-11-23', '2025-01-01')))
      const counted = [
        { path: '/a', week: '2026-11-16', readers: 6 },
        { path: '/b', week: '2026-11-16', readers: 0 },
      ]
      expect(await other.ofPages(['/a', '/b'], '2026-01-01')).toEqual(counted)
      await gate.closeWeeks('2026-11-23', '2025-01-01')
      expect(await gate.ofPages(['/a', '/b', '/c'], '2026-11-16')).toEqual(counted)
      expect(await gate.ofPages(['/b'], '2026-11-17')).toEqual([])
    })

    it('names pages that were not opened for 180 days, once it is as old', async () => {
      await using stores = await create()
      await stores.gate.note('2026-05-25', readersOf('/old', 1))
      await stores.gate.note('2026-11-16', readersOf('/read', 1))
      await stores.gate.closeWeeks('2026-11-23', '2025-01-01')
      const paths = ['/old', '/read', '/never']
      expect((await readReadership(stores.other, paths, '2026-11-20')).unread).toBeNull()
      expect((await readReadership(stores.other, paths, '2026-12-05')).unread).toEqual(['/old', '/never'])
      await stores.gate.closeWeeks('2026-11-23', '2026-06-01')
      expect(await stores.other.firstWeek()).toBe('2026-11-16')
    })
  })
}
