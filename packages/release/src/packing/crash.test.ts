import { spawn } from 'node:child_process'
import { readdir, readFile, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { followCurrent } from '../current-release.ts'
import { isIntact, listReleaseIds, readPointer, removeLeftovers } from '../release-store.ts'
import { createTestBuild, pageHtml, type TestBuild } from '../testing/test-build.ts'
import { packRelease } from './pack.ts'

const PACK = new URL('./pack.ts', import.meta.url).href
const DAY_MS = 86_400_000
const FIRST_MS = Date.UTC(2025, 3, 1)

/** Packs in a process of its own, which is killed after `delayMs`, or by itself after `files` stored files. */
async function packAndKill(
  build: TestBuild,
  when: { delayMs: number } | { files: number },
): Promise<boolean> {
  const limit = 'files' in when ? when.files : -1
  const program = `
    const { packRelease } = await import(${JSON.stringify(PACK)})
    process.send('packing')
    await packRelease({
      buildDir: ${JSON.stringify(build.buildDir)},
      dataDir: ${JSON.stringify(build.dataDir)},
      clock: () => ${FIRST_MS + DAY_MS},
      onProgress: (done) => done === ${limit} && process.kill(process.pid, 'SIGKILL'),
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = new Promise<boolean>((resolve) =>
    child.once('exit', (_code, signal) => resolve(signal === 'SIGKILL')),
  )
  if ('delayMs' in when) {
    await new Promise((resolve) => child.once('message', resolve))
    await sleep(when.delayMs)
    child.kill('SIGKILL')
  }
  return ended
}

async function expectWhole(build: TestBuild): Promise<string> {
  for (const id of await listReleaseIds(build.releasesDir)) {
    expect([id, await isIntact(build.releasesDir, id)]).toEqual([id, true])
  }
  const releases = await followCurrent({ releasesDir: build.releasesDir, elapsed: () => 0, onProblem() {} })
  expect(releases.status()).toMatchObject({ state: 'ready', refused: null })
  const manifest = await releases.manifest()
  const guide = manifest?.editions[0]?.files.get('/docs/guide')
  if (manifest === null || guide === undefined) throw new Error('the release has no guide')
  return readFile(join(build.releasesDir, manifest.id, 'files', guide.sha256), 'utf8')
}

it('leaves the old release in service when it is killed half way, and mends itself next time', async () => {
  await using build = await createTestBuild()
  const first = await packRelease({ ...build, clock: () => FIRST_MS })
  await build.write('docs/guide/index.html', pageHtml('第二版'))
  expect(await packAndKill(build, { files: 6 })).toBe(true)

  expect(await readPointer(build.releasesDir)).toBe(first.id)
  expect(await expectWhole(build)).toBe(pageHtml('手引き'))
  const left = (await readdir(build.releasesDir)).filter((name) => name.startsWith('.tmp-'))
  expect(left).toHaveLength(1)

  const second = await packRelease({ ...build, clock: () => FIRST_MS + DAY_MS })
  expect(await readPointer(build.releasesDir)).toBe(second.id)
  expect(await expectWhole(build)).toBe(pageHtml('第二版'))

  const long = new Date(FIRST_MS)
  await utimes(join(build.releasesDir, left[0] ?? ''), long, long)
  await removeLeftovers(build.releasesDir, FIRST_MS + DAY_MS)
  expect((await readdir(build.releasesDir)).filter((name) => name.startsWith('.tmp-'))).toEqual([])
})

it.each([2, 10, 20, 40, 80])(
  'is never caught with a half-written release (killed after %i ms)',
  async (delayMs) => {
    await using build = await createTestBuild()
    await packRelease({ ...build, clock: () => FIRST_MS })
    await build.write('docs/guide/index.html', pageHtml('第二版'))
    await packAndKill(build, { delayMs })
    expect([pageHtml('手引き'), pageHtml('第二版')]).toContain(await expectWhole(build))
  },
)
