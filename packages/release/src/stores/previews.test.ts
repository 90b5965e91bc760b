import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allStoredFiles } from '../manifest.ts'
import { readManifest } from '../manifest-json.ts'
import { packRelease } from '../packing/index.ts'
import { createTestBuild, startS3Server } from '../testing/index.ts'
import { MAX_PREVIEW_LIFE_MS, MAX_PREVIEWS, type Preview, readPreview } from './preview-list.ts'
import { openPreviewStore, type PreviewStore, previewReleasesDir } from './previews.ts'
import { publishRelease } from './publish-release.ts'

const NOW = Date.UTC(2026, 10, 23)
const DAY = 24 * 3_600_000
const preview = (name: string, changes: Partial<Preview> = {}): Preview => ({
  name,
  branch: 'feature/検索',
  commit: '0123abc',
  createdAtMs: NOW,
  expiresAtMs: NOW + 14 * DAY,
  ...changes,
})

interface Fixture {
  readonly store: PreviewStore
  readonly other: PreviewStore
  /** Names of what is stored below the previews, the list among them. */
  stored(): Promise<readonly string[]>
  /** Puts bytes where the list is. */
  damage(text: string): Promise<void>
  /** Requests so far; null where there are none to count. */
  requests(): readonly string[] | null
}

type Open = (cleanup: AsyncDisposableStack) => Promise<Fixture>

const STORES: readonly (readonly [name: string, open: Open])[] = [
  [
    'a folder',
    async (cleanup) => {
      const folder = await mkdtemp(join(tmpdir(), 'sekisho-previews-'))
      cleanup.defer(() => rm(folder, { recursive: true, force: true }))
      const open = () => openPreviewStore({ folder })
      const stored = () => readdir(join(folder, 'previews'), { recursive: true }).catch(() => [])
      const damage = (text: string) => writeFile(join(folder, 'previews', 'list.json'), text)
      return { store: open(), other: open(), stored, damage, requests: () => null }
    },
  ],
  [
    'a bucket',
    async (cleanup) => {
      const server = cleanup.use(await startS3Server({ pageSize: 3 }))
      const bucket = { ...server, prefix: 'team/portal/', credentials: () => server.credentials }
      const open = () => openPreviewStore({ bucket })
      return {
        store: open(),
        other: open(),
        stored: async () =>
          [...server.objects.keys()].filter((key) => key.startsWith('team/portal/previews/')),
        damage: async (text) => void server.objects.set('team/portal/previews/list.json', Buffer.from(text)),
        requests: () => server.requests,
      }
    },
  ],
]

const namesOf = async (store: PreviewStore) => (await store.list()).map(({ name }) => name)

describe.each(STORES)('previews in %s', (_name, open) => {
  it('are listed as they were described, and described anew', async () => {
    await using cleanup = new AsyncDisposableStack()
    const { store, other } = await open(cleanup)
    expect(await store.list()).toEqual([])
    const readers = { domains: ['example.co.jp'], emails: ['a@example.com'] }
    await store.describe(preview('pr-2'))
    await store.describe(preview('pr-1', { readers }))
    expect(await other.list()).toEqual([preview('pr-1', { readers }), preview('pr-2')])
    await other.describe(preview('pr-1', { commit: 'ffffffff' }))
    expect(await store.list()).toEqual([preview('pr-1', { commit: 'ffffffff' }), preview('pr-2')])
    expect(await store.list()).toBe(await store.list())
  })

  it('hold releases of their own', async () => {
    await using cleanup = new AsyncDisposableStack()
    const { store, other, stored } = await open(cleanup)
    const build = cleanup.use(await createTestBuild())
    const { id } = await packRelease({ ...build, clock: () => NOW })
    await store.describe(preview('pr-1'))
    await store.describe(preview('pr-10'))
    const releases = store.open('pr-1')
    await publishRelease({ releasesDir: build.releasesDir, id, from: await releases.readPointer() }, releases)
    expect((await other.open('pr-1').readPointer()).id).toBe(id)
    expect((await other.open('pr-10').readPointer()).id).toBeNull()
    // A hash tells nobody that somebody else has the file: neither another preview nor the portal.
    const files = [...allStoredFiles(readManifest(await releases.readManifest(id), id))]
    expect(await other.open('pr-1').findMissing(id, files)).toEqual([])
    expect(await other.open('pr-10').findMissing(id, files)).toEqual(files)
    expect((await stored()).some((name) => name.includes('pr-1/') && name.includes(id))).toBe(true)

    expect(await other.remove('pr-1')).toBe(true)
    expect(await namesOf(store)).toEqual(['pr-10'])
    expect((await stored()).filter((name) => /pr-1(?:\/|$)/.test(name))).toEqual([])
    expect(await other.remove('pr-1')).toBe(false)
  })

  it('that expired are removed, the others stay', async () => {
    await using cleanup = new AsyncDisposableStack()
    const { store, other } = await open(cleanup)
    await store.describe(preview('old', { expiresAtMs: NOW + DAY }))
    await store.describe(preview('new'))
    expect(await other.removeExpired(NOW + DAY - 1)).toEqual([])
    expect(await other.removeExpired(NOW + DAY)).toEqual(['old'])
    expect(await namesOf(store)).toEqual(['new'])
  })

  it('are not lost when many describe and remove at once', async () => {
    await using cleanup = new AsyncDisposableStack()
    const { store, other } = await open(cleanup)
    await store.describe(preview('gone'))
    const stores = [store, other]
    await Promise.all([
      ...['a-1', 'a-2', 'a-3', 'a-4'].map((name, at) => stores[at % 2]?.describe(preview(name))),
      other.remove('gone'),
    ])
    expect(await namesOf(store)).toEqual(['a-1', 'a-2', 'a-3', 'a-4'])
  })

  it('are not served after an interrupted removal, which is finished', async () => {
    await using cleanup = new AsyncDisposableStack()
    const { store, other, damage } = await open(cleanup)
    await store.describe(preview('pr-1'))
    await damage(JSON.stringify({ previews: [{ ...preview('pr-1'), isRemoved: true }] }))
    expect(await store.list()).toEqual([])
    expect(await other.removeExpired(NOW)).toEqual(['pr-1'])
    await damage(JSON.stringify({ previews: [{ ...preview('pr-1'), isRemoved: true }] }))
    await store.describe(preview('pr-1'))
    expect(await namesOf(other)).toEqual(['pr-1'])
  })

  it('are no more than so many', async () => {
    await using cleanup = new AsyncDisposableStack()
    const { store, damage } = await open(cleanup)
    await store.describe(preview('pr-1'))
    const many = Array.from({ length: MAX_PREVIEWS }, (_, at) => preview(`pr-${at}`))
    await damage(JSON.stringify({ previews: many }))
    await store.describe(preview('pr-1', { commit: 'eeeeeee' }))
    await expect(store.describe(preview('one-more'))).rejects.toMatchObject({ code: 'previews_full' })
    await damage(JSON.stringify({ previews: [...many, preview('one-more')] }))
    await expect(store.list()).rejects.toMatchObject({ code: 'preview_invalid' })
  })

  it.each<[string, string]>([
    ['no JSON', '{'],
    ['another document', '[]'],
    ['a name of another folder', JSON.stringify({ previews: [preview('../../releases')] })],
    ['a name twice', JSON.stringify({ previews: [preview('pr-1'), preview('pr-1')] })],
    ['a key nobody knows', JSON.stringify({ previews: [{ ...preview('pr-1'), audience: 'all' }] })],
  ])('are none where the list is %s', async (_what, text) => {
    await using cleanup = new AsyncDisposableStack()
    const { store, damage } = await open(cleanup)
    await store.describe(preview('pr-1'))
    await damage(text)
    await expect(store.list()).rejects.toMatchObject({ code: 'preview_invalid' })
  })

  it.each(['', '.', '..', 'a/b', '../x', 'PR-1', 'a--b', 'list.json'])(
    'have no name such as %j',
    async (name) => {
      await using cleanup = new AsyncDisposableStack()
      const { store, stored } = await open(cleanup)
      expect(() => store.open(name)).toThrow(expect.objectContaining({ code: 'preview_invalid' }))
      await expect(store.describe(preview(name))).rejects.toMatchObject({ code: 'preview_invalid' })
      await expect(store.remove(name)).rejects.toMatchObject({ code: 'preview_invalid' })
      expect(await stored()).toEqual([])
    },
  )
})

describe('previews', () => {
  it('of a data folder are where a gate serves them from', async () => {
    await using cleanup = new AsyncDisposableStack()
    const build = cleanup.use(await createTestBuild())
    const { id } = await packRelease({ ...build, clock: () => NOW })
    const releases = openPreviewStore({ folder: build.dataDir }).open('pr-1')
    await publishRelease({ releasesDir: build.releasesDir, id, from: await releases.readPointer() }, releases)
    expect(existsSync(join(previewReleasesDir(build.dataDir, 'pr-1'), id, 'manifest.json'))).toBe(true)
  })

  it('in a bucket cost one conditional request, however many there are', async () => {
    await using cleanup = new AsyncDisposableStack()
    const { store, requests } = (await STORES[1]?.[1](cleanup)) ?? expect.fail()
    for (const name of ['pr-1', 'pr-2', 'pr-3']) await store.describe(preview(name))
    const before = requests()?.length ?? 0
    await store.list()
    await store.list()
    expect(requests()?.slice(before)).toEqual(Array(2).fill('GET team/portal/previews/list.json'))
  })

  it.each<[string, Record<string, unknown>]>([
    ['no end', { expiresAtMs: NOW }],
    ['an end beyond ninety days', { expiresAtMs: NOW + MAX_PREVIEW_LIFE_MS + 1 }],
    ['a branch of two lines', { branch: 'a\nb' }],
    ['a branch that turns the line around', { branch: 'a\u202eb' }],
    ['no branch', { branch: '' }],
    ['a commit that is none', { commit: 'main' }],
    ['readers that are no lists', { readers: { domains: 'example.com', emails: [] } }],
    ['half of readers', { readers: { domains: [] } }],
    ['a removal', { isRemoved: true }],
    ['something else', { admin: true }],
  ])('are not described with %s', (_what, changes) => {
    expect(() => readPreview({ ...preview('pr-1'), ...changes })).toThrow(
      expect.objectContaining({ code: 'preview_invalid' }),
    )
  })
})
