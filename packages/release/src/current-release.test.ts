import { execFileSync } from 'node:child_process'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { followCurrent } from './current-release.ts'
import { packRelease } from './packing/index.ts'
import { loadManifest, movePointer } from './release-store.ts'
import { createTestBuild, pageHtml } from './testing/index.ts'

it('a release that took long to read never takes the place of one that was published later', async () => {
  await using build = await createTestBuild()
  const { releasesDir } = build
  let clockMs = Date.UTC(2026, 0, 1)
  const pack = async (text: string) => {
    await build.write('docs/guide/index.html', pageHtml(text))
    return (await packRelease({ ...build, clock: () => (clockMs += 60_000) })).id
  }
  const [first, slow, last] = [await pack('one'), await pack('two'), await pack('three')]
  await movePointer(releasesDir, first)
  let nowMs = 0
  const onProblem = (reason: string) => expect.unreachable(reason)
  const current = await followCurrent({ releasesDir, elapsed: () => nowMs, onProblem })

  const file = join(releasesDir, slow, 'manifest.json')
  const bytes = await readFile(file)
  await rename(file, `${file}.kept`)
  execFileSync('mkfifo', [file]) // its reader waits for whoever writes
  await movePointer(releasesDir, slow)
  nowMs = 500
  const looking = current.manifest()
  await movePointer(releasesDir, last)
  const refreshed = current.refresh(await loadManifest(releasesDir, last))
  await writeFile(file, bytes)
  await Promise.all([looking, refreshed])
  expect(current.status()).toMatchObject({ state: 'ready', id: last })
})
