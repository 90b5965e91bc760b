import { hash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allStoredFiles, type Manifest, type StoredFile } from '../manifest.ts'
import { packRelease } from '../packing/index.ts'
import { isIntact, listReleaseIds, loadManifest } from '../release-store.ts'
import { createTestBuild, pageHtml, startS3Server, type TestBuild } from '../testing/index.ts'
import { openBucketStore } from './bucket-store.ts'
import { fetchRelease } from './fetch-release.ts'
import { openFolderStore } from './folder-store.ts'
import { createMirror } from './mirror.ts'
import { publishRelease } from './publish-release.ts'
import { type ReleaseStore, releaseBefore } from './store.ts'

interface Fixture extends AsyncDisposable {
  readonly store: ReleaseStore
  /** A second process that uses the same place. */
  readonly other: ReleaseStore
  readonly build: TestBuild
  /** Packs a release with this text on a page, into the build's own folder. */
  pack(text: string): Promise<string>
  /** An empty local folder. */
  readonly copies: string
}

type Open = (cleanup: AsyncDisposableStack) => Promise<() => ReleaseStore>

const STORES: readonly (readonly [name: string, open: Open])[] = [
  [
    'a folder',
    async (cleanup) => {
      const folder = await mkdtemp(join(tmpdir(), 'sekisho-store-'))
      cleanup.defer(() => rm(folder, { recursive: true, force: true }))
      return () => openFolderStore(folder)
    },
  ],
  [
    'a bucket',
    async (cleanup) => {
      const server = cleanup.use(await startS3Server({ pageSize: 3 }))
      return () =>
        openBucketStore({ ...server, prefix: 'team/portal/', credentials: () => server.credentials })
    },
  ],
]

async function createFixture(open: Open): Promise<Fixture> {
  await using cleanup = new AsyncDisposableStack()
  const build = cleanup.use(await createTestBuild())
  const openStore = await open(cleanup)
  let nowMs = Date.UTC(2026, 0, 1)
  const moved = cleanup.move()
  return {
    store: openStore(),
    other: openStore(),
    build,
    copies: join(build.root, 'copies', 'releases'),
    async pack(text) {
      await build.write('docs/guide/index.html', pageHtml(text))
      return (await packRelease({ ...build, clock: () => (nowMs += 60_000) })).id
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

async function publish(
  { build, store }: Fixture,
  id: string,
  from?: Awaited<ReturnType<ReleaseStore['readPointer']>>,
) {
  return publishRelease(
    { releasesDir: build.releasesDir, id, from: from ?? (await store.readPointer()) },
    store,
  )
}

async function readBlob(store: ReleaseStore, id: string, stored: StoredFile): Promise<string> {
  return hash('sha256', await new Response(await store.openBlob(id, stored)).bytes())
}

const filesOf = (manifest: Manifest) => [...allStoredFiles(manifest)]

describe.each(STORES)('releases in %s', (_name, open) => {
  it('holds nothing at first', async () => {
    await using fixture = await createFixture(open)
    const { store } = fixture
    expect(await store.list()).toEqual([])
    expect(await store.readPointer()).toEqual({ id: null, version: null })
    await expect(store.readManifest('20260101T000000Z-00000000')).rejects.toThrow('20260101T000000Z-00000000')
  })

  it('publishes a release whole, then sends only what the next one changed', async () => {
    await using fixture = await createFixture(open)
    const first = await fixture.pack('one')
    const files = filesOf(await loadManifest(fixture.build.releasesDir, first))
    expect(await publish(fixture, first)).toEqual({ served: true, sent: files.length })
    const { store, other } = fixture
    expect((await other.readPointer()).id).toBe(first)
    expect(await store.list()).toEqual([{ id: first, createdAtMs: Date.UTC(2026, 0, 1, 0, 1) }])
    expect(hash('sha256', await other.readManifest(first))).toMatch(new RegExp(`^${first.slice(-8)}`))
    for (const stored of files) expect(await readBlob(other, first, stored)).toBe(stored.sha256)

    const second = await fixture.pack('two')
    const { sent } = await publish(fixture, second)
    expect(sent).toBeGreaterThan(0)
    expect(sent).toBeLessThan(files.length / 2)
    expect((await other.list()).map(({ id }) => id)).toEqual([second, first])
    expect((await other.readPointer()).id).toBe(second)
  })

  it('lets exactly one of several publishers move the pointer', async () => {
    await using fixture = await createFixture(open)
    const ids = [await fixture.pack('one'), await fixture.pack('two'), await fixture.pack('three')]
    for (const from of [await fixture.store.readPointer(), null]) {
      const seen = from ?? (await fixture.store.readPointer())
      const wanted = ids.filter((id) => id !== seen.id)
      const moved = await Promise.all(wanted.map((id) => fixture.other.movePointer(id, seen)))
      expect(moved.filter(Boolean)).toHaveLength(1)
      expect((await fixture.store.readPointer()).id).toBe(wanted[moved.indexOf(true)])
      // Whoever still holds the pointer of before has lost, however late they come.
      const [late = ''] = wanted.filter((_, index) => !moved[index])
      expect(await fixture.other.movePointer(late, seen)).toBe(false)
    }
  })

  it('says of a pointer that has not moved that it is the same', async () => {
    await using fixture = await createFixture(open)
    const { store, other } = fixture
    const none = await store.readPointer()
    expect(await store.readPointer(none)).toBe(none)
    await publish(fixture, await fixture.pack('one'))
    const one = await store.readPointer(none)
    expect(one).not.toBe(none)
    expect(await store.readPointer(one)).toBe(one)
    expect(await other.movePointer('20260101T000000Z-00000000', one)).toBe(true)
    expect((await store.readPointer(one)).id).toBe('20260101T000000Z-00000000')
  })

  it('knows in which order releases were published, whenever they were packed', async () => {
    await using fixture = await createFixture(open)
    const [old, recent] = [await fixture.pack('one'), await fixture.pack('two')]
    for (const id of [recent, old]) await publish(fixture, id)
    const kept = await fixture.store.list()
    expect(kept.filter(({ replacedAtMs }) => replacedAtMs !== undefined).map(({ id }) => id)).toEqual([
      recent,
    ])
    expect(releaseBefore(kept, old)).toBe(recent) // by packing there is none before it
  })

  it('refuses a file that is not what the manifest says', async () => {
    await using fixture = await createFixture(open)
    const id = await fixture.pack('one')
    const [stored] = filesOf(await loadManifest(fixture.build.releasesDir, id))
    if (stored === undefined) throw new Error('a release without files')
    const wrong = join(fixture.build.root, 'wrong')
    await writeFile(wrong, 'x'.repeat(stored.bytes))
    await expect(fixture.store.putBlob(id, stored, wrong)).rejects.toThrow()
    expect(await fixture.store.findMissing(id, [stored])).toEqual([stored])
  })

  it('knows what of a release is gone', async () => {
    await using fixture = await createFixture(open)
    const { build, store, other } = fixture
    const id = await fixture.pack('one')
    const files = filesOf(await loadManifest(build.releasesDir, id))
    expect(await store.findLost(id, files)).toEqual(files)
    await publish(fixture, id)
    expect(await store.findLost(id, files)).toEqual([])
    await publish(fixture, await fixture.pack('two'))
    await other.remove(id)
    expect(await store.findLost(id, files)).toEqual(files)
  })

  it('never points to a release that lacks a file, under concurrent removal of shared files', async () => {
    await using fixture = await createFixture(open)
    const { build, store } = fixture
    const [none, shared, next] = [
      await fixture.pack('none'),
      await fixture.pack('shared'),
      await fixture.pack('next'),
    ]
    await publish(fixture, shared)
    const removing: ReleaseStore = {
      ...store,
      async putManifest(...args) {
        await fixture.other.movePointer(none, await fixture.other.readPointer())
        await fixture.other.remove(shared)
        await store.putManifest(...args)
        await fixture.other.movePointer(shared, await fixture.other.readPointer())
      },
    }
    const from = await store.readPointer()
    await publishRelease({ releasesDir: build.releasesDir, id: next, from }, removing).catch(() => null)
    const files = filesOf(await loadManifest(build.releasesDir, next))
    const pointed = (await store.readPointer()).id
    expect(pointed === next ? await store.findLost(next, files) : []).toEqual([])
  })

  it('removes a release and what it alone holds, and leaves the others whole', async () => {
    await using fixture = await createFixture(open)
    const [first, second] = [await fixture.pack('one'), await fixture.pack('two')]
    await publish(fixture, first)
    await publish(fixture, second)
    const { store } = fixture
    await store.remove(first)
    expect((await store.list()).map(({ id }) => id)).toEqual([second])
    await expect(store.readManifest(first)).rejects.toThrow(first)
    await fetchRelease(second, { store, releasesDir: fixture.copies })
    expect(await isIntact(fixture.copies, second)).toBe(true)
    const held = new Set(
      filesOf(await loadManifest(fixture.build.releasesDir, second)).map(({ sha256 }) => sha256),
    )
    const only = filesOf(await loadManifest(fixture.build.releasesDir, first)).filter(
      ({ sha256 }) => !held.has(sha256),
    )
    expect(only.length).toBeGreaterThan(0)
    for (const stored of only) await expect(readBlob(store, first, stored)).rejects.toThrow()
  })

  it('is copied whole, and for the next release only what is missing', async () => {
    await using fixture = await createFixture(open)
    const [first, second] = [await fixture.pack('one'), await fixture.pack('two')]
    await publish(fixture, first)
    await publish(fixture, second)
    await fetchRelease(first, { store: fixture.store, releasesDir: fixture.copies })
    expect(await isIntact(fixture.copies, first)).toBe(true)
    const opened: string[] = []
    const counting: ReleaseStore = {
      ...fixture.store,
      openBlob: (id, stored) => {
        opened.push(stored.sha256)
        return fixture.store.openBlob(id, stored)
      },
    }
    await fetchRelease(second, { store: counting, releasesDir: fixture.copies })
    expect(await isIntact(fixture.copies, second)).toBe(true)
    const before = new Set(filesOf(await loadManifest(fixture.copies, first)).map(({ sha256 }) => sha256))
    expect(opened.filter((sha256) => before.has(sha256))).toEqual([])
    expect(opened.length).toBeGreaterThan(0)
    expect(await readFile(join(fixture.copies, second, 'manifest.json'))).toEqual(
      await readFile(join(fixture.build.releasesDir, second, 'manifest.json')),
    )
    opened.length = 0
    const ofPreview = join(fixture.build.root, 'copies-of-a-preview')
    await mkdir(ofPreview)
    await fetchRelease(second, { store: counting, releasesDir: ofPreview, blobSourceDir: fixture.copies })
    expect([opened, await isIntact(ofPreview, second)]).toEqual([[], true])
  })
})

it('a copy of a release that was removed goes as soon as the mirror is told to look', async () => {
  await using fixture = await createFixture(async (cleanup) => {
    const folder = await mkdtemp(join(tmpdir(), 'sekisho-store-'))
    cleanup.defer(() => rm(folder, { recursive: true, force: true }))
    return () => openFolderStore(folder)
  })
  const { store, copies } = fixture
  let elapsedMs = 0
  const look = createMirror({
    store,
    releasesDir: copies,
    elapsed: () => elapsedMs,
    onProblem: () => {},
    sweepEveryMs: 1_000,
  })
  const first = await fixture.pack('one')
  await publish(fixture, first)
  await look()
  const second = await fixture.pack('two')
  await publish(fixture, second)
  elapsedMs = 1_000
  await look()
  expect(await listReleaseIds(copies)).toEqual([second, first])
  await store.remove(first)
  elapsedMs = 2_000
  await look()
  expect(await listReleaseIds(copies)).toEqual([second])
})
