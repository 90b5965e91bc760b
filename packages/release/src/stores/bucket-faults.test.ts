import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { packRelease } from '../packing/index.ts'
import { isIntact, listReleaseIds, readPointer } from '../release-store.ts'
import {
  createTestBuild,
  pageHtml,
  type S3Fault,
  type S3Server,
  startS3Server,
  type TestBuild,
} from '../testing/index.ts'
import { openBucketStore } from './bucket-store.ts'
import { createMirror } from './mirror.ts'
import { publishRelease } from './publish-release.ts'
import type { ReleaseStore } from './store.ts'

let server: S3Server
let build: TestBuild
let store: ReleaseStore
let copies: string
let nowMs = Date.UTC(2026, 0, 1)

beforeEach(async () => {
  server = await startS3Server()
  build = await createTestBuild()
  copies = join(build.root, 'copies')
  store = openStore(10_000)
})
afterEach(async () => {
  await server[Symbol.asyncDispose]()
  await build[Symbol.asyncDispose]()
})

/** A store that waits so long for an answer; short where one is never given. */
function openStore(maxMs: number): ReleaseStore {
  return openBucketStore({ ...server, prefix: 'p/', credentials: () => server.credentials, maxMs })
}

const storeFor = (fault: S3Fault) => (fault.startsWith('stall') ? openStore(500) : store)

async function publish(text: string): Promise<string> {
  await build.write('docs/guide/index.html', pageHtml(text))
  const from = await store.readPointer()
  const { id } = await packRelease({ ...build, clock: () => (nowMs += 60_000) })
  expect((await publishRelease({ releasesDir: build.releasesDir, id, from }, store)).served).toBe(true)
  return id
}

function startMirror(followed = store) {
  const said: (string | null)[] = []
  let elapsedMs = 0
  const look = createMirror({
    store: followed,
    releasesDir: copies,
    elapsed: () => elapsedMs,
    onProblem: (reason) => said.push(reason),
  })
  return { said, look, pass: (ms: number) => (elapsedMs += ms) }
}

describe('the test server is strict', () => {
  const ask = async (
    changes: Partial<ConstructorParameters<typeof AwsClient>[0]>,
    init: RequestInit = {},
    aws = {},
  ) => {
    const client = new AwsClient({ ...server.credentials, service: 's3', region: server.region, ...changes })
    const signed = await client.sign(new URL('/releases/p/x', server.endpoint), {
      method: 'PUT',
      ...init,
      aws,
    })
    return fetch(signed)
  }
  const EMPTY = { 'X-Amz-Content-Sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' }

  it('lets a signed request in', async () => {
    expect((await ask({}, { headers: EMPTY })).status).toBe(200)
  })
  it.each([
    ['a wrong secret', { secretAccessKey: 'wrong' }, { headers: EMPTY }, {}, 'SignatureDoesNotMatch'],
    ['an unknown key', { accessKeyId: 'AKIAOTHER' }, { headers: EMPTY }, {}, 'InvalidAccessKeyId'],
    ['another region', { region: 'us-east-1' }, { headers: EMPTY }, {}, 'AuthorizationHeaderMalformed'],
    ['a date of yesterday', {}, { headers: EMPTY }, { datetime: '20250101T000000Z' }, 'RequestTimeTooSkewed'],
    ['a body that is not signed', {}, { body: 'x' }, {}, 'XAmzContentSHA256Mismatch'],
    ['another body than was signed', {}, { body: 'x', headers: EMPTY }, {}, 'XAmzContentSHA256Mismatch'],
  ])('refuses %s', async (_row, changes, init, aws, code) => {
    const answer = await ask(changes, init, aws)
    expect([answer.ok, await answer.text()]).toEqual([false, expect.stringContaining(code)])
  })
  it('refuses the anonymous', async () => {
    const answer = await fetch(new URL('/releases/p/x', server.endpoint))
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('AccessDenied')])
  })
})

it('says what the bucket says of credentials it does not know, and never the credentials', async () => {
  const stranger = openBucketStore({
    ...server,
    prefix: '',
    credentials: () => ({ ...server.credentials, secretAccessKey: 'hunter2hunter2' }),
  })
  const problem = await stranger.readPointer().catch(String)
  expect(problem).toContain('403 SignatureDoesNotMatch')
  expect(problem).not.toContain('hunter2')
})

const PASSING: readonly S3Fault[] = ['cut', 'cut-body', 'stall-body', 'truncate', 'corrupt', 'error', 'stall']

it.each(PASSING)('a fault that passes (%s) is got over, at every kind of request', async (fault) => {
  const id = await publish('one')
  const seen = new Set<string>()
  server.fault = (method, key) => {
    const kind = `${method} ${key.replace(/[^/]+$/, '')}`
    // Bytes of the pointer and of the manifest are read again by the next look, those of a file at once.
    if (seen.has(kind)) return null
    seen.add(kind)
    return fault
  }
  const { look, pass } = startMirror(storeFor(fault))
  for (let turn = 0; turn < 5; turn += 1) {
    await look()
    pass(30_000)
  }
  expect(await readPointer(copies)).toBe(id)
  expect(await isIntact(copies, id)).toBe(true)
})

it.each(PASSING)(
  'a file that cannot be had (%s) leaves the release before it in service, and is reported once',
  async (fault) => {
    const first = await publish('one')
    const { look, pass, said } = startMirror(storeFor(fault))
    await look()
    expect(await readPointer(copies)).toBe(first)
    const before = new Set(server.objects.keys())
    const second = await publish('two')
    const [lost] = [...server.objects.keys()].filter((key) => key.includes('blobs/') && !before.has(key))
    server.fault = (method, key) => (method === 'GET' && key === lost ? fault : null)
    for (let turn = 0; turn < 2; turn += 1) {
      await look()
      pass(30_000)
    }
    expect(await readPointer(copies)).toBe(first)
    expect(await listReleaseIds(copies)).toEqual([first])
    expect(said).toEqual([expect.any(String)])

    server.requests.length = 0
    server.fault = () => null
    await look()
    expect(await readPointer(copies)).toBe(second)
    expect(said.at(-1)).toBeNull()
    // What the failed attempts had brought is not fetched again.
    expect(server.requests.filter((line) => line.includes('blobs/')).length).toBe(1)
  },
  60_000,
)

it('says that its own disk fails, where that is what fails', async () => {
  await publish('one')
  await writeFile(copies, 'a file where the folder should be')
  const { look, said } = startMirror()
  await look()
  expect(said).toEqual([expect.stringContaining('ENOTDIR')])
})

it('refuses a manifest whose bytes do not match its id', async () => {
  const first = await publish('one')
  const { look, pass, said } = startMirror()
  await look()
  const second = await publish('two')
  const key = `p/manifests/${second}.json`
  const genuine = String(server.objects.get(key))
  server.objects.set(key, Buffer.from(genuine.replace('手引き', '手引書').replace('\\u624b', '\\u624c')))
  expect(String(server.objects.get(key))).not.toBe(genuine)
  pass(1_000)
  await look()
  expect(await readPointer(copies)).toBe(first)
  expect(said.at(-1)).toContain('not the one that was published')
})

it('goes on with what it has while the bucket is away, and says so once', async () => {
  const first = await publish('one')
  await startMirror().look()
  server.isDown = true
  const { look, pass, said } = startMirror() // the gate was started again meanwhile
  await look()
  pass(1_000)
  await look()
  expect(await readPointer(copies)).toBe(first)
  expect(said).toEqual([expect.stringContaining('cannot be reached')])
  server.isDown = false
  const second = await publish('two')
  pass(1_000)
  await look()
  expect(await readPointer(copies)).toBe(second)
  expect(said.at(-1)).toBeNull()
}, 60_000)

it('looks at a pointer that has not moved at the cost of one conditional request', async () => {
  await publish('one')
  const { look, pass } = startMirror()
  await look()
  server.requests.length = 0
  for (let second = 0; second < 8; second += 1) {
    pass(1_000)
    await look()
  }
  expect(server.requests).toEqual(Array.from({ length: 8 }, () => 'GET p/current'))
})

it('follows a roll-back, and drops what was removed from the bucket', async () => {
  const [first, second] = [await publish('one'), await publish('two')]
  const { look, pass } = startMirror()
  await look()
  expect(await store.movePointer(first, await store.readPointer())).toBe(true)
  await look()
  expect([await readPointer(copies), await listReleaseIds(copies)]).toEqual([first, [second, first]])
  await store.remove(second)
  pass(10_000)
  await look()
  expect(await listReleaseIds(copies)).toEqual([first])
})

it('a move of the pointer whose answer was lost counts once', async () => {
  const first = await publish('one')
  const pointer = await store.readPointer()
  let lost = 0
  server.fault = (method, key) =>
    method === 'PUT' && key === 'p/current' && lost++ === 0 ? 'lose-answer' : null
  expect(await store.movePointer('20260101T000000Z-00000000', pointer)).toBe(true)
  expect(lost).toBe(2)
  expect(await store.movePointer(first, pointer)).toBe(false)
})

it('a local file that was altered is not published', async () => {
  await build.write('docs/guide/index.html', pageHtml('one'))
  const { id } = await packRelease({ ...build, clock: () => (nowMs += 60_000) })
  const folder = join(build.releasesDir, id, 'files')
  for (const name of (await readdir(folder)).slice(0, 1)) await writeFile(join(folder, name), 'altered')
  const from = await store.readPointer()
  await expect(publishRelease({ releasesDir: build.releasesDir, id, from }, store)).rejects.toThrow(
    'XAmzContentSHA256Mismatch',
  )
  expect(await store.list()).toEqual([])
  expect((await store.readPointer()).id).toBeNull()
})

it('tries again where the bucket says that two writes met', async () => {
  const first = await publish('one')
  let conflicts = 0
  server.fault = (method) => (method === 'PUT' && conflicts++ === 0 ? 'conflict' : null)
  expect(await store.movePointer('20260101T000000Z-00000000', await store.readPointer())).toBe(true)
  expect(await store.movePointer(first, { id: first, version: '"other"' })).toBe(false)
})
