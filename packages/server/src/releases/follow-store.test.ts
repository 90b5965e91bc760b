import { join } from 'node:path'
import { openReleaseStore, publishRelease, readPointer } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, pageHtml, startS3Server } from '@sekisho/release/testing'
import { expect, it } from 'vitest'
import { createMetrics } from '../kernel/monitoring/metrics.ts'
import { dataFolderAt } from '../storage/data-folder.ts'
import { followStore } from './follow-store.ts'

it('a requested look sees what is published by then, also while one is under way', async () => {
  await using build = await createTestBuild()
  await using bucket = await startS3Server()
  const place = { bucket: { ...bucket, prefix: '', credentials: () => bucket.credentials } }
  const store = openReleaseStore(place)
  let clockMs = Date.UTC(2026, 0, 1)
  const publish = async (text: string) => {
    await build.write('docs/guide/index.html', pageHtml(text))
    const { id } = await packRelease({ ...build, clock: () => (clockMs += 60_000) })
    const { releasesDir } = build
    await publishRelease({ releasesDir, id, from: await store.readPointer() }, store)
    return { id, pointer: Buffer.from(bucket.objects.get('current') ?? '') }
  }
  const first = await publish('one')
  const second = await publish('two')
  const third = await publish('three')
  bucket.objects.set('current', first.pointer)
  const folder = dataFolderAt(join(build.root, 'gate'))
  const metrics = createMetrics()
  await using followed = await followStore({ place, folder, log: () => {}, metrics })

  bucket.objects.set('current', second.pointer)
  let asked: Promise<void> | null = null
  bucket.fault = (method, key) => {
    if (method === 'GET' && key === `manifests/${second.id}.json`) {
      bucket.objects.set('current', third.pointer)
      asked = followed.lookAgain()
    }
    return null
  }
  await followed.lookAgain()
  await asked
  expect(await readPointer(followed.releasesDir)).toBe(third.id)
})
