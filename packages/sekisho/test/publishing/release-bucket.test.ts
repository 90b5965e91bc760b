import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PATHS } from '@sekisho/contract/paths'
import { loadManifest, openReleaseStore, publishRelease } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import {
  createTestBuild,
  pageHtml,
  type S3Server,
  startS3Server,
  type TestBuild,
} from '@sekisho/release/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunCommand } from '../../src/command.ts'
import { runCheck } from '../../src/commands/check/check.ts'
import { runReleases } from '../../src/commands/releases/releases.ts'
import { runVerify } from '../../src/commands/verify/verify.ts'
import { SETTINGS, startServingGate } from '../support/serving-gate.ts'

let server: S3Server
let build: TestBuild
let folder: string
let nowMs = Date.UTC(2026, 0, 1)

beforeEach(async () => {
  server = await startS3Server()
  build = await createTestBuild()
  folder = await mkdtemp(join(tmpdir(), 'sekisho-bucket-'))
})
afterEach(async () => {
  await server[Symbol.asyncDispose]()
  await build[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

async function settings(from: S3Server = server) {
  await writeFile(join(folder, 'secret'), `${from.credentials.secretAccessKey}\n`, { mode: 0o600 })
  return {
    SEKISHO_RELEASES: `s3://${from.bucket}/portal?endpoint=${from.endpoint.origin}&region=${from.region}`,
    AWS_ACCESS_KEY_ID: from.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY_FILE: join(folder, 'secret'),
  }
}

async function run(command: RunCommand, args: readonly string[], env: Record<string, string>) {
  const said: string[] = []
  const code = await command(args, {
    env,
    cwd: folder,
    clock: Date.now,
    print: (line) => said.push(line),
    complain: (line) => said.push(line),
  })
  return { code, said: said.join('\n') }
}

function openStore() {
  const { endpoint, region, bucket, credentials } = server
  return openReleaseStore({
    bucket: { endpoint, region, bucket, prefix: 'portal/', credentials: () => credentials },
  })
}

async function publish(text: string): Promise<string> {
  await build.write('docs/guide/index.html', pageHtml(text))
  const store = openStore()
  const from = await store.readPointer()
  const { id } = await packRelease({ ...build, clock: () => (nowMs += 60_000) })
  await publishRelease({ releasesDir: build.releasesDir, id, from }, store)
  return id
}

describe('sekisho check --bucket', () => {
  it('finds nothing wrong with a bucket that keeps both conditions, and leaves nothing behind', async () => {
    await publish('one')
    const before = [...server.objects.keys()]
    expect(await run(runCheck, ['--bucket'], await settings())).toMatchObject({
      code: 0,
      said: expect.stringContaining('✔'),
    })
    expect([...server.objects.keys()]).toEqual(before)
  })

  it.each([
    [['if-match'], 'ignores If-None-Match on writes'],
    [['if-none-match'], 'ignores If-Match on writes'],
  ] as const)('names the condition that a bucket with only %j ignores', async (honours, said) => {
    await using lax = await startS3Server({ honours })
    const outcome = await run(runCheck, ['--bucket'], await settings(lax))
    expect(outcome).toMatchObject({ code: 1, said: expect.stringContaining(said) })
    expect(lax.objects.size).toBe(0)
  })

  it('reports a public bucket', async () => {
    await using open = await startS3Server({ isOpen: true })
    expect(await run(runCheck, ['--bucket'], await settings(open))).toMatchObject({
      code: 1,
      said: expect.stringContaining('it is public: an object was read'),
    })
  })

  it.each([
    [{ AWS_ACCESS_KEY_ID: 'AKIAOTHER' }, 'InvalidAccessKeyId'],
    [{ AWS_SECRET_ACCESS_KEY_FILE: '/none' }, 'AWS_SECRET_ACCESS_KEY'],
    [{ SEKISHO_RELEASES: 's3://releases/portal?endpoint=http://s3.example.com' }, 'must be an https address'],
    [{ SEKISHO_RELEASES: 's3://key:secret@releases/portal' }, 'must be s3://BUCKET/PREFIX'],
    [{ SEKISHO_RELEASES: 's3://releases/../other' }, 'must be s3://BUCKET/PREFIX'],
    [{ SEKISHO_RELEASES: 's3://releases/portal?secret=x' }, 'must be s3://BUCKET/PREFIX'],
    [{ SEKISHO_RELEASES: 'releases' }, 'the absolute path of a folder'],
    [{ SEKISHO_RELEASES: '' }, 'names no bucket'],
  ])('explains %j', async (changes, said) => {
    const outcome = await run(runCheck, ['--bucket'], { ...(await settings()), ...changes })
    expect(outcome).toMatchObject({ code: 1, said: expect.stringContaining(said) })
  })
})

it('lists, rolls back and removes what is in a bucket', async () => {
  const [first, second] = [await publish('one'), await publish('two')]
  const env = await settings()
  expect((await run(runReleases, ['list'], env)).said).toMatch(
    new RegExp(`^\\* ${second}  .*  6 pages, .*\n  ${first}  .*  6 pages`),
  )
  expect((await run(runReleases, ['remove', second], env)).said).toContain('is being served')
  expect(await run(runReleases, ['rollback'], env)).toMatchObject({ code: 0 })
  expect((await openStore().readPointer()).id).toBe(first)
  expect(await run(runReleases, ['remove', second], env)).toMatchObject({ code: 0 })
  expect((await run(runReleases, ['list'], env)).said).toMatch(new RegExp(`^\\* ${first}[^\n]*$`))
})

it('verify fetches the release that the bucket says is served', async () => {
  const id = await publish('one')
  const { code, said } = await run(runVerify, ['--quick'], await settings())
  expect([code, said]).toEqual([0, expect.stringContaining(id)])
})

it('a gate serves a new release of the bucket within two seconds, and what it has while the bucket is away', async () => {
  const first = await publish('one')
  const check = await run(runCheck, [], { ...SETTINGS, ...(await settings()), SEKISHO_DATA_DIR: folder })
  expect(check.said).toContain('bucket      s3://')
  expect(check.said).not.toMatch(/there is no release|✖ .*(?:bucket|release)/)
  const options = { dataDir: join(folder, 'data'), env: await settings() }
  {
    await using gate = await startServingGate(options)
    const servedDir = join(options.dataDir, 'fetched-releases')
    const served = openReleaseStore({ folder: servedDir })
    expect((await served.readPointer()).id).toBe(first)
    const second = await publish('two')
    const publishedMs = performance.now()
    while ((await served.readPointer()).id !== second) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(performance.now() - publishedMs).toBeLessThan(2_000)
    expect((await loadManifest(servedDir, second)).id).toBe(second)
    gate.child.kill('SIGTERM')
    await new Promise((resolve) => gate.child.once('exit', resolve))
    expect(gate.child.exitCode).toBe(0)
  }
  server.isDown = true
  await using gate = await startServingGate(options) // healthy, or this would not return
  expect(gate.output()).toContain('release_store_failed')
  const health = await fetch(`http://127.0.0.1:${gate.port}${PATHS.health}`)
  expect([health.status, await health.json()]).toEqual([200, { status: 'degraded' }])
})
