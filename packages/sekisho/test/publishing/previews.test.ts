import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  openPreviewStore,
  openReleaseStore,
  type Preview,
  type PreviewStore,
  publishRelease,
} from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, pageHtml, startS3Server, type TestBuild } from '@sekisho/release/testing'
import { seedSessions } from '@sekisho/server/testing'
import { describe, expect, it, vi } from 'vitest'
import { runVerify } from '../../src/commands/verify/verify.ts'
import { askHost, handOver, previewHost } from '../support/hand-over.ts'
import { CONTEXT, HOST, SECRET, startServingGate } from '../support/serving-gate.ts'

const WAIT = { timeout: 30_000, interval: 200 }
const MEMBER = 'hanako@example.co.jp'

const described = (name: string, changes: Partial<Preview> = {}): Preview => {
  const nowMs = Date.now()
  return {
    name,
    branch: 'main',
    commit: '0123abc',
    createdAtMs: nowMs,
    expiresAtMs: nowMs + 3_600_000,
    ...changes,
  }
}

async function publishPreview(build: TestBuild, store: PreviewStore, name: string): Promise<void> {
  await build.write('docs/guide/index.html', pageHtml(`プレビュー ${name} だけの本文`))
  const dataDir = join(build.root, `packed-${name}`)
  const { id } = await packRelease({ buildDir: build.buildDir, dataDir, clock: Date.now })
  await store.describe(described(name))
  const releases = store.open(name)
  const from = await releases.readPointer()
  await publishRelease({ releasesDir: join(dataDir, 'releases'), id, from }, releases)
}

async function verify(build: TestBuild, args: readonly string[]) {
  const printed: string[] = []
  const io = {
    env: {},
    cwd: build.root,
    clock: Date.now,
    print: (line: string) => printed.push(line),
    complain: console.error,
  }
  const code = await runVerify(['--quick', '--json', '--data-dir', build.dataDir, ...args], io)
  return { code, report: JSON.parse(printed.join('\n')) }
}

describe('previews of a running gate', { timeout: 120_000 }, () => {
  it('are closed to strangers, as sekisho verify finds, and go on while their list cannot be read, until they expire', async () => {
    await using build = await createTestBuild()
    await packRelease({ ...build, clock: Date.now })
    const store = openPreviewStore({ folder: build.dataDir })
    await publishPreview(build, store, 'pr-1')
    const [token = ''] = await seedSessions(build.dataDir, SECRET, [MEMBER], CONTEXT)
    await using gate = await startServingGate({ dataDir: build.dataDir })
    const url = ['--url', `http://127.0.0.1:${gate.port}`]
    const own = await handOver(gate.port, 'pr-1', `__Host-sekisho=${token}`)
    await writeFile(join(build.root, 'reader'), own)
    const host = ['--host', previewHost('pr-1'), '--preview', 'pr-1', '--reader', 'reader']
    const preview = await verify(build, [...url, ...host])
    expect(preview.report.findings).toEqual([])
    expect(preview.code).toBe(0)
    expect((await verify(build, [...url, '--host', HOST])).report.findings).toEqual([])

    const read = (host: string, cookie: string) => askHost(gate.port, host, '/docs/guide', { Cookie: cookie })
    expect((await read(previewHost('pr-1'), own)).text).toContain('プレビュー pr-1 だけの本文')
    expect((await read(HOST, `__Host-sekisho=${token}`)).text).not.toContain('プレビュー')
    expect((await read(HOST, own)).status).toBe(401)

    await store.describe(described('soon', { expiresAtMs: Date.now() + 10_000 }))
    const status = async (name: string) => (await askHost(gate.port, previewHost(name))).status
    await vi.waitFor(async () => expect(await status('soon')).toBe(401), WAIT)
    expect([await status('pr-1'), await status('other')]).toEqual([401, 400])
    await build.write('../data/previews/list.json', '{')
    await vi.waitFor(() => expect(gate.output()).toContain('previews_failed'), WAIT)
    await vi.waitFor(async () => expect(await status('soon')).toBe(400), WAIT)
    expect(await status('pr-1')).toBe(401)
    await rm(join(build.dataDir, 'previews', 'list.json'))
    await vi.waitFor(async () => expect(await status('pr-1')).toBe(400), WAIT)
  })

  it('follow a bucket with one question for all; each is fetched when it is read, and gone at once when removed', async () => {
    await using build = await createTestBuild()
    await using bucket = await startS3Server()
    const { id } = await packRelease({ ...build, clock: Date.now })
    const place = { bucket: { ...bucket, prefix: 'docs/', credentials: () => bucket.credentials } }
    const store = openPreviewStore(place)
    const portal = openReleaseStore(place)
    const { releasesDir } = build
    await publishRelease({ releasesDir, id, from: await portal.readPointer() }, portal)
    for (const name of ['pr-1', 'pr-2', 'pr-3']) await publishPreview(build, store, name)
    const [token = ''] = await seedSessions(build.dataDir, SECRET, [MEMBER], CONTEXT)
    const address = `s3://${bucket.bucket}/docs?endpoint=${bucket.endpoint.origin}&region=${bucket.region}`
    await using gate = await startServingGate({
      dataDir: build.dataDir,
      env: {
        SEKISHO_RELEASES: address,
        AWS_ACCESS_KEY_ID: bucket.credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: bucket.credentials.secretAccessKey,
      },
    })
    const ofPreviews = () => bucket.requests.filter((line) => line.includes(' docs/previews/'))
    bucket.requests.length = 0
    for (let n = 0; n < 20; n += 1) await askHost(gate.port, previewHost(`pr-${(n % 3) + 1}`), '/docs/guide')
    expect(ofPreviews().filter((line) => !line.endsWith('previews/list.json'))).toEqual([])

    const own = await handOver(gate.port, 'pr-2', `__Host-sekisho=${token}`)
    const read = await askHost(gate.port, previewHost('pr-2'), '/docs/guide', { Cookie: own })
    expect(read.text).toContain('プレビュー pr-2 だけの本文')
    expect(ofPreviews().some((line) => line.includes('previews/pr-2/'))).toBe(true)
    expect(ofPreviews().some((line) => /previews\/pr-[13]\//.test(line))).toBe(false)

    const copies = join(build.dataDir, 'fetched-previews', 'pr-2')
    expect(existsSync(copies)).toBe(true)
    const unknown = await askHost(gate.port, `nobody--${HOST}`)
    await store.remove('pr-2')
    await vi.waitFor(async () => {
      const answer = await askHost(gate.port, previewHost('pr-2'), '/docs/guide', { Cookie: own })
      expect([answer.status, answer.text]).toEqual([unknown.status, unknown.text])
      expect(existsSync(copies)).toBe(false)
    }, WAIT)
    expect([...bucket.objects.keys()].filter((key) => key.includes('/pr-2/'))).toEqual([])
    expect((await askHost(gate.port, previewHost('pr-1'))).status).toBe(401)
  })
})
