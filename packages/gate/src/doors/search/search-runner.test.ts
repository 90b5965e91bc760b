import { cp, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openReleases } from '../../releases/open-releases.ts'
import { everybodysEdition, READER } from '../../testing/reader.ts'
import { createSearchableBuild } from '../../testing/test-search.ts'
import { createSearchRunner } from './search-runner.ts'

const STUCK = new URL('data:text/javascript,setInterval(() => {}, 1000)')
const JOB = { file: 'x', sha256: 'x', query: { q: 'a' } }

it('one worker searches several releases, and keeps the indexes of so many open', async () => {
  await using build = await createSearchableBuild()
  await using small = {
    runner: createSearchRunner({ maxReleases: 2 }),
    async [Symbol.asyncDispose]() {
      await this.runner.close()
    },
  }
  const { edition, releaseId } =
    (await (
      await openReleases({ releasesDir: build.releasesDir, choose: everybodysEdition })
    ).current(READER)) ?? expect.fail()
  const { name = '', sha256 = '' } = edition.search ?? {}
  const files = await Promise.all(
    [1, 2, 3].map(async (n) => {
      const folder = join(build.root, `release-${n}`)
      await cp(join(build.releasesDir, releaseId), folder, { recursive: true })
      return join(folder, name)
    }),
  )
  const search = (file: string) => small.runner.run({ file, sha256, query: { q: '手形' } })
  for (const file of [...files, ...files]) expect((await search(file)).hits).toBe(1)
  if (process.platform !== 'linux') return // where else could it be seen?
  const isOpen = await Promise.all(
    files.map(async (file) => {
      const names = (await readdir('/proc/self/fd')).map((fd) =>
        readlink(`/proc/self/fd/${fd}`).catch(() => ''),
      )
      return (await Promise.all(names)).includes(file)
    }),
  )
  expect(isOpen).toEqual([false, true, true])
}, 120_000)

it('answers whoever waits when it is closed, and leaves nothing behind to wait for', async () => {
  const stuck = createSearchRunner({ workerUrl: STUCK, startTimeoutMs: 3_600_000 })
  const told = expect(stuck.run(JOB)).rejects.toThrow('the gate is closing')
  await stuck.close()
  await told
})

it('76 ends a worker that does not answer', async () => {
  const stuck = createSearchRunner({ workerUrl: STUCK, startTimeoutMs: 200 })
  await expect(stuck.run(JOB)).rejects.toThrow('took too long')
  await stuck.close()
})
