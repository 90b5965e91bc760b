import { hash } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createTestBuild } from '@sekisho/release/testing'
import { PROBE } from '@sekisho/search/embeddings'
import { expect, it, onTestFinished } from 'vitest'
import { openReleases } from '../../releases/open-releases.ts'
import { everybodysEdition } from '../../testing/reader.ts'
import { createSearchableBuild, writeGuideIndex } from '../../testing/test-search.ts'
import { createSearchRunner } from './search-runner.ts'

const JOB = { file: 'x', sha256: 'x', query: { q: 'a' } }

/** A process of a test's own instead of the one that searches. */
async function script(source: string): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'sekisho-search-process-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'process.mjs'), source)
  return pathToFileURL(join(folder, 'process.mjs'))
}

const STUCK = "process.on('message', () => {}); process.send({ ready: true })"
/** Tells its id, and then never comes back from SQLite. */
const ENDLESS = `
  import { DatabaseSync } from 'node:sqlite'
  process.once('message', () => process.once('message', ({ id }) => {
    process.send({ id, ok: true, json: String(process.pid), hits: 0, pages: [] })
    process.once('message', () => new DatabaseSync(':memory:').exec(
      'WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n) SELECT count(*) FROM n'))
  }))`

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Files that the processes of this one have open. */
async function openFiles(): Promise<ReadonlySet<string>> {
  const files = new Set<string>()
  for (const task of await readdir('/proc/self/task')) {
    const children = await readFile(`/proc/self/task/${task}/children`, 'utf8').catch(() => '')
    for (const pid of children.split(' ').filter(Boolean)) {
      for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => []))
        files.add(await readlink(`/proc/${pid}/fd/${fd}`).catch(() => ''))
    }
  }
  return files
}

it('one process searches several releases, and keeps the indexes of so many open', async () => {
  await using build = await createSearchableBuild()
  await using small = {
    runner: createSearchRunner({ maxReleases: 2 }),
    async [Symbol.asyncDispose]() {
      await this.runner.close()
    },
  }
  const { edition, releaseId } =
    (await everybodysEdition(await openReleases({ releasesDir: build.releasesDir }))) ?? expect.fail()
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
  const open = await openFiles()
  expect(files.map((file) => open.has(file))).toEqual([false, true, true])
}, 120_000)

it('sends what is asked to the place that the operator named, and to no place that an index names', async () => {
  const sent: string[] = []
  const listen = (name: string) =>
    createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { input }: { input: string[] } = JSON.parse(Buffer.concat(chunks).toString())
      sent.push(...input.filter((text) => text !== PROBE).map((text) => `${name}: ${text}`))
      const data = input.map((text, index) => ({ index, embedding: [1, text === PROBE ? 1 : 0] }))
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
  const stuck = createSearchRunner({ workerUrl: await script(STUCK), startTimeoutMs: 3_600_000 })
  const told = expect(stuck.run(JOB)).rejects.toThrow('the gate is closing')
  await stuck.close()
  await told
})

it('starts nothing for whoever asks after it was closed', async () => {
  const closed = createSearchRunner({ workerUrl: await script(STUCK), startTimeoutMs: 200 })
  await closed.close()
  await expect(closed.run(JOB)).rejects.toThrow('the gate is closing')
})

it('76 ends a process that does not answer', async () => {
  const stuck = createSearchRunner({ workerUrl: await script(STUCK), startTimeoutMs: 200 })
  await expect(stuck.run(JOB)).rejects.toThrow('took too long')
  await stuck.close()
})

it('waits for a process that loads slowly, and blames no index for one that does not load', async () => {
  const slow = `process.once('message', () => process.once('message', ({ id }) => setTimeout(() => {
    process.send({ ready: true })
    process.send({ id, ok: true, json: 'found', hits: 0, pages: [] })
  }, 1_200)))`
  const runner = createSearchRunner({ workerUrl: await script(slow), startTimeoutMs: 1_000 })
  onTestFinished(() => runner.close())
  expect(await runner.run(JOB)).toMatchObject({ json: 'found' })
  const never = createSearchRunner({
    workerUrl: await script("process.on('message', () => {})"),
    loadTimeoutMs: 200,
  })
  onTestFinished(() => never.close())
  await expect(never.inspect(JOB)).rejects.toThrow('could not be loaded')
})

it('ends a process that never comes back from SQLite, and starts another', async () => {
  const runner = createSearchRunner({ workerUrl: await script(ENDLESS) })
  onTestFinished(() => runner.close())
  const first = Number((await runner.run(JOB)).json)
  await expect(runner.run(JOB)).rejects.toThrow('took too long')
  await expect.poll(() => isRunning(first)).toBe(false)
  const second = Number((await runner.run(JOB)).json)
  expect(second).not.toBe(first)
  expect(isRunning(second)).toBe(true)
})

it('closes while SQLite does not come back, and leaves no process', async () => {
  const runner = createSearchRunner({ workerUrl: await script(ENDLESS) })
  const pid = Number((await runner.run(JOB)).json)
  const lost = expect(runner.run(JOB)).rejects.toThrow('the gate is closing')
  await runner.close()
  await lost
  expect(isRunning(pid)).toBe(false)
})

it('tells what is wrong with an index before it is searched; a process that is lost is its fault', async () => {
  await using build = await createTestBuild()
  await writeGuideIndex(build, '関所を通る者は、まず手形を見せる。', undefined, '/docs/手引き')
  const file = join(build.buildDir, '__sekisho', 'search.db')
  const sha256 = hash('sha256', await readFile(file))
  const runner = createSearchRunner()
  onTestFinished(() => runner.close())
  expect(await runner.inspect({ file, sha256 })).toBeNull()
  expect(await runner.run({ file, sha256, query: { q: '手形' } })).toMatchObject({ pages: ['/docs/手引き'] })
  await writeFile(file, 'no index')
  expect(await runner.inspect({ file, sha256: hash('sha256', 'no index') })).toContain('ERR_INDEX_MISMATCH')
  const stuck = createSearchRunner({ workerUrl: await script(STUCK), startTimeoutMs: 200 })
  onTestFinished(() => stuck.close())
  expect(await stuck.inspect({ file, sha256 })).toBe('a search took too long')
}, 60_000)

it('gives the process none of the gate’s secrets', async () => {
  process.env.SEKISHO_SECRET_OF_A_TEST = 'secret'
  onTestFinished(() => void delete process.env.SEKISHO_SECRET_OF_A_TEST)
  const source = `process.once('message', () => process.once('message', ({ id }) =>
    process.send({ id, ok: true, json: JSON.stringify(Object.keys(process.env)), hits: 0, pages: [] })))`
  const runner = createSearchRunner({ workerUrl: await script(source) })
  onTestFinished(() => runner.close())
  const names: string[] = JSON.parse((await runner.run(JOB)).json)
  expect(names.filter((name) => /SEKISHO|SECRET/.test(name))).toEqual([])
  expect(names).toContain('PATH')
})
