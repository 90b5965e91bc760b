import { hash } from 'node:crypto'
import { once } from 'node:events'
import { cp, readdir, readFile, readlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createTestBuild } from '@sekisho/release/testing'
import { expect, it, onTestFinished } from 'vitest'
import { openReleases } from '../../releases/open-releases.ts'
import { everybodysEdition, READER } from '../../testing/reader.ts'
import { createSearchableBuild, writeGuideIndex } from '../../testing/test-search.ts'
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

it('sends what is asked to the place that the operator named, and to no place that an index names', async () => {
  const sent: string[] = []
  const listen = (name: string) =>
    createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { input }: { input: string[] } = JSON.parse(Buffer.concat(chunks).toString())
      sent.push(...input.map((text) => `${name}: ${text}`))
      const data = input.map((_text, index) => ({ index, embedding: [1, index] }))
      response.end(JSON.stringify({ data }))
    }).listen(0, '127.0.0.1')
  const servers = ['build', 'operator'].map(listen)
  for (const server of servers) if (!server.listening) await once(server, 'listening')
  const [ofBuild, ofOperator] = servers.map((server) => {
    const { port } = server.address() as AddressInfo
    return `http://127.0.0.1:${port}/v1/embeddings`
  })
  onTestFinished(() => {
    for (const server of servers) server.close()
  })
  await using build = await createTestBuild()
  const embeddings = { url: ofBuild ?? '', model: 'ours', queryPrefix: 'q ', documentPrefix: '' }
  await writeGuideIndex(build, '関所を通る者は、まず見せる。', { words: [], synonyms: [], embeddings })
  const file = join(build.buildDir, '__sekisho', 'search.db')
  const job = { file, sha256: hash('sha256', await readFile(file)), query: { q: '旅の許し' } }
  expect(sent.splice(0)).toEqual([expect.stringMatching(/^build: 手引き/)])
  for (const [endpoint, hits, told] of [
    [null, 0, []],
    [{ url: ofOperator ?? '' }, 1, ['operator: q 旅の許し']],
    [{ url: 'http://127.0.0.1:9/v1/embeddings' }, 0, []],
  ] as const) {
    const runner = createSearchRunner({ embeddings: endpoint })
    onTestFinished(() => runner.close())
    await expect.poll(async () => (await runner.run(job)).hits).toBe(hits) // 150 ms may pass on a busy machine
    expect([...new Set(sent.splice(0))]).toEqual(told)
  }
}, 120_000)

it('answers whoever waits when it is closed, and leaves nothing behind to wait for', async () => {
  const stuck = createSearchRunner({ workerUrl: STUCK, startTimeoutMs: 3_600_000 })
  const told = expect(stuck.run(JOB)).rejects.toThrow('the gate is closing')
  await stuck.close()
  await told
})

it('starts nothing for whoever asks after it was closed', async () => {
  const closed = createSearchRunner({ workerUrl: STUCK, startTimeoutMs: 200 })
  await closed.close()
  await expect(closed.run(JOB)).rejects.toThrow('the gate is closing')
})

it('76 ends a worker that does not answer', async () => {
  const stuck = createSearchRunner({ workerUrl: STUCK, startTimeoutMs: 200 })
  await expect(stuck.run(JOB)).rejects.toThrow('took too long')
  await stuck.close()
})
