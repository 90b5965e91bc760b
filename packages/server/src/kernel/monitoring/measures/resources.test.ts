import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { watchResources } from './resources.ts'

const NOTHING = { trailBytes: null, connections: null }

it('tells the version, the disk, and how late the event loop was since the last time', async () => {
  using watched = watchResources({ dataDir: tmpdir(), usage: async () => NOTHING, storeAgeMs: () => null })
  await new Promise((resolve) => setTimeout(resolve, 30)) // the watch has begun
  const untilMs = performance.now() + 300
  while (performance.now() < untilMs) {} // nothing else runs meanwhile
  await new Promise((resolve) => setTimeout(resolve, 30))
  const { version, disk, eventLoop } = await watched.read()
  expect(version).toMatch(/^\d+\.\d+\.\d+/)
  expect(disk?.freeBytes).toBeLessThanOrEqual(disk?.bytes ?? 0)
  expect(eventLoop.maxMs).toBeGreaterThan(200)
})

it('has no disk where there is no folder', async () => {
  using watched = watchResources({ dataDir: '/none/at/all', usage: async () => NOTHING, storeAgeMs: () => 7 })
  expect(await watched.read()).toMatchObject({ disk: null, usage: NOTHING, storeAgeMs: 7 })
})
