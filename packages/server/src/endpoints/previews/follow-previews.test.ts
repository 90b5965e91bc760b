import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPreviewStore } from '@sekisho/release'
import { expect, it } from 'vitest'
import { followPreviews } from './follow-previews.ts'

it('what has expired is served no more, forgotten, and removed here and from the store', async () => {
  const root = await mkdtemp(join(tmpdir(), 'sekisho-follow-'))
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rm(root, { recursive: true, force: true }))
  const store = openPreviewStore({ folder: root })
  const fetchedPreviews = join(root, 'fetched-previews')
  for (const [name, expiresAtMs] of [
    ['soon', 1_000],
    ['later', 2_000],
  ] as const) {
    await store.describe({ name, branch: 'main', commit: '0123abc', createdAtMs: 0, expiresAtMs })
    await mkdir(join(fetchedPreviews, name), { recursive: true })
  }
  let nowMs = 999
  const gone: string[] = []
  const previews = cleanup.use(
    await followPreviews({
      place: { folder: root },
      folder: { fetchedPreviews },
      portal: new URL('https://portal.test'),
      serve: ({ origin }) => ({ origin, handle: () => new Response() }),
      onGone: (name) => gone.push(name),
      log: () => {},
      now: () => nowMs,
    }),
  )
  const isServed = (name: string) => previews.findService(`${name}--portal.test`) !== null
  expect([isServed('soon'), isServed('later')]).toEqual([true, true])
  nowMs = 1_000
  expect([isServed('soon'), previews.find('soon'), isServed('later')]).toEqual([false, null, true])
  await previews.refresh('later')
  expect(gone).toContain('soon')
  expect(['soon', 'later'].map((name) => existsSync(join(fetchedPreviews, name)))).toEqual([false, true])
  expect((await store.list()).map(({ name }) => name)).toEqual(['later'])
})
