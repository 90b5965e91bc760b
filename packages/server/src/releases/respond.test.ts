import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { movePointer } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, loadOnlyEdition, pageHtml, SITE, type TestBuild } from '@sekisho/release/testing'
import { expect, it, vi } from 'vitest'
import { everybodysEdition } from '../testing/reader.ts'
import { openReleases, type ReleasesOptions } from './open-releases.ts'

let publishedMs = Date.UTC(2025, 3, 1)

function pack(build: TestBuild) {
  publishedMs += 60_000
  return packRelease({ buildDir: build.buildDir, dataDir: build.dataDir, clock: () => publishedMs })
}

async function serve(build: TestBuild, options: Partial<ReleasesOptions> = {}) {
  const releases = await openReleases({
    releasesDir: build.releasesDir,
    ...options,
  })
  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const request = new Request(`https://portal.test${path.includes('%') ? path : encodeURI(path)}`, {
      headers,
      method,
    })
    const served = await everybodysEdition(releases)
    if (served === null) throw new Error('nothing is served')
    return served.respond(request, decodeURI(new URL(request.url).pathname), 'all')
  }
  return { releases, get }
}

it('answers a page, with the hashes its policy needs', async () => {
  await using build = await createTestBuild()
  await pack(build)
  const { get } = await serve(build)
  const { response, csp } = await get('/docs/環境')
  expect(response.status).toBe(200)
  expect(await response.text()).toBe(pageHtml('環境'))
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, no-store',
    vary: 'Accept-Encoding, Accept',
    'accept-ranges': 'bytes',
  })
  expect(csp).toEqual({ kind: 'page', scriptHashes: [expect.stringMatching(/^'sha256-/)] })
})

it('sends the stored encoding with its own strong tag', async () => {
  await using build = await createTestBuild()
  await pack(build)
  const { get } = await serve(build)
  const plain = (await get('/docs/guide')).response
  const packed = (await get('/docs/guide', { 'Accept-Encoding': 'gzip, br, zstd' })).response
  expect(packed.headers.get('Content-Encoding')).toBe('br')
  const body = new Uint8Array(await packed.arrayBuffer())
  expect(Number(packed.headers.get('Content-Length'))).toBe(body.length)
  expect(brotliDecompressSync(body).toString()).toBe(pageHtml('手引き'))
  expect(packed.headers.get('ETag')).toMatch(/^"[0-9a-f]{32}"$/)
  expect(packed.headers.get('ETag')).not.toBe(plain.headers.get('ETag'))
})

it.each([
  ['/assets/js/main.0a1b2c3d.js', 'private, max-age=31536000, immutable', null, 'script'],
  ['/img/logo.svg', 'private, no-store', null, 'isolated'],
  ['/blog/rss.xml', 'private, no-store', null, 'isolated'],
  ['/files/demo.html', 'private, no-store', null, 'page'],
  ['/files/manual.pdf', 'private, no-store', "attachment; filename*=UTF-8''manual.pdf", 'isolated'],
  ['/img/photo.png', 'private, no-store', null, 'bare'],
])('%s is kept as %s and let do no more than it needs', async (path, cache, disposition, policy) => {
  await using build = await createTestBuild()
  await pack(build)
  const { response, csp } = await (await serve(build)).get(path)
  expect(response.status).toBe(200)
  expect(response.headers.get('Cache-Control')).toBe(cache)
  expect(response.headers.get('Content-Disposition')).toBe(disposition)
  expect(csp.kind).toBe(policy)
})

it.each([
  ['/docs/guide/', '/docs/guide'],
  ['/docs/guide.html?q=1&r=%20', '/docs/guide?q=1&r=%20'],
  ['/docs/環境/index.html', '/docs/%E7%92%B0%E5%A2%83'],
  ['/docs/base', '/docs/base/'],
  ['/index.html', '/'],
  ['/docs?x=//evil.example', '/docs/guide?x=//evil.example#%E5%A7%8B%E3%82%81'],
])('%s is sent on to %s', async (path, location) => {
  await using build = await createTestBuild()
  await pack(build)
  const { response } = await (await serve(build)).get(path)
  expect(response.status).toBe(308)
  expect(response.headers.get('Location')).toBe(location)
})

it.each([
  '/404.html',
  '/nothing',
  '/404',
  '/docs/Guide',
  '/.env',
  '/__sekisho/site.json',
  '/assets/js/main.0a1b2c3d.js.map',
])('answers %s with the 404 page and status 404', async (path) => {
  await using build = await createTestBuild()
  await pack(build)
  const { get } = await serve(build)
  const { response, csp } = await get(path, { Range: 'bytes=0-3', 'If-None-Match': '*' })
  expect(response.status).toBe(404)
  expect(await response.text()).toBe(pageHtml('見つかりません'))
  expect(response.headers.get('Cache-Control')).toBe('private, no-store')
  expect(response.headers.get('ETag')).toBeNull()
  expect(csp.kind).toBe('page')
})

it('answers a missing page of a locale with the 404 page of that locale', async () => {
  await using build = await createTestBuild()
  const english = { ...SITE, lang: 'en', baseUrl: '/en/', redirects: [], pages: [] }
  await build.write('en/__sekisho/site.json', JSON.stringify(english))
  await build.write('en/__sekisho/search.db', 'an English index')
  await build.write('en/404.html', pageHtml('Not found'))
  await pack(build)
  const { get } = await serve(build)
  for (const [path, title] of [
    ['/en/nothing', 'Not found'],
    ['/english', '見つかりません'],
    ['/nothing', '見つかりません'],
  ] as const) {
    const { response } = await get(path)
    expect([path, response.status, await response.text()]).toEqual([path, 404, pageHtml(title)])
  }
})

it('answers HEAD as GET without its body, and no other method', async () => {
  await using build = await createTestBuild()
  await pack(build)
  const { get } = await serve(build)
  for (const path of ['/docs/guide', '/nothing', '/img/photo.png']) {
    const full = (await get(path)).response
    const head = (await get(path, {}, 'HEAD')).response
    expect(head.status).toBe(full.status)
    expect([...head.headers]).toEqual([...full.headers])
    expect(await head.text()).toBe('')
  }
  const posted = (await get('/docs/guide', {}, 'POST')).response
  expect([posted.status, posted.headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
})

it('notices a moved pointer within half a second, at once when told to look, and keeps hashed assets of earlier releases', async () => {
  await using build = await createTestBuild()
  const first = await pack(build)
  let nowMs = 0
  const { releases, get } = await serve(build, { elapsed: () => nowMs })
  await rm(join(build.buildDir, 'assets/js/main.0a1b2c3d.js'))
  await rm(join(build.buildDir, 'img/photo.png'))
  await build.write('docs/guide/index.html', pageHtml('第二版'))
  const second = await pack(build)
  nowMs = 499
  expect((await everybodysEdition(releases))?.releaseId).toBe(first.id)
  nowMs = 500
  expect(await (await get('/docs/guide')).response.text()).toBe(pageHtml('第二版'))
  expect(releases.status()).toEqual({ state: 'ready', id: second.id, refused: null })
  expect((await get('/assets/js/main.0a1b2c3d.js')).response.status).toBe(200)
  expect((await get('/img/photo.png')).response.status).toBe(404)
  await movePointer(build.releasesDir, first.id)
  await releases.refresh()
  expect(await (await get('/docs/guide')).response.text()).toBe(pageHtml('手引き'))
})

it('serves nothing of a release that was removed, at the next look', async () => {
  await using build = await createTestBuild()
  const first = await pack(build)
  await rm(join(build.buildDir, 'assets/js/main.0a1b2c3d.js'))
  await pack(build)
  let nowMs = 0
  const { get } = await serve(build, { elapsed: () => nowMs })
  const status = async () => (await get('/assets/js/main.0a1b2c3d.js')).response.status
  expect([await status(), await status()]).toEqual([200, 200]) // the second time from memory
  await rm(join(build.releasesDir, first.id), { recursive: true })
  expect(await status()).toBe(200)
  nowMs = 1_000
  expect(await status()).toBe(404)
})

it('serves no damaged file, plain or encoded, and says so once', async () => {
  await using build = await createTestBuild()
  const { id } = await pack(build)
  const edition = await loadOnlyEdition(build.releasesDir, id)
  const damage = async (path: string, suffix = '') => {
    const file = join(build.releasesDir, id, 'files', `${edition.files.get(path)?.sha256}${suffix}`)
    const bytes = await readFile(file)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    await rm(file)
    await writeFile(file, bytes)
  }
  await damage('/docs/guide')
  await damage('/docs/環境', '.br')
  await damage('/img/photo.png')
  await rm(join(build.releasesDir, id, 'files', edition.files.get('/img/logo.svg')?.sha256 ?? ''))
  const onProblem = vi.fn()
  const { get } = await serve(build, { onProblem, maxHeldBytes: 500 })
  for (const _again of [1, 2]) {
    for (const method of ['GET', 'HEAD']) {
      expect((await get('/docs/guide', {}, method)).response.status).toBe(503)
      expect((await get('/docs/環境', { 'Accept-Encoding': 'br' }, method)).response.status).toBe(503)
      expect((await get('/img/photo.png', {}, method)).response.status).toBe(503)
      expect((await get('/img/logo.svg', {}, method)).response.status).toBe(503)
    }
  }
  expect((await get('/docs/環境')).response.status).toBe(200)
  expect(onProblem).toHaveBeenCalledTimes(4)
})

it.each<[what: string, spoil: (folder: string) => Promise<unknown>]>([
  ['no manifest', (folder) => rm(join(folder, 'manifest.json'))],
  [
    'half a manifest',
    async (folder) => {
      const file = join(folder, 'manifest.json')
      const bytes = await readFile(file)
      await writeFile(file, bytes.subarray(0, bytes.length / 2))
    },
  ],
  [
    'an altered manifest',
    async (folder) => {
      const file = join(folder, 'manifest.json')
      await writeFile(file, (await readFile(file, 'utf8')).replace('"isolated"', '"resource"'))
    },
  ],
])(
  'refuses a release with %s: the one before it stays, and a fresh start serves nothing',
  async (_what, spoil) => {
    await using build = await createTestBuild()
    const first = await pack(build)
    let nowMs = 0
    const onProblem = vi.fn()
    const { releases, get } = await serve(build, { onProblem, elapsed: () => nowMs })
    await build.write('docs/guide/index.html', pageHtml('第二版'))
    const second = await pack(build)
    await spoil(join(build.releasesDir, second.id))
    for (nowMs of [1_000, 2_000, 3_000]) {
      expect(await (await get('/docs/guide')).response.text()).toBe(pageHtml('手引き'))
    }
    expect(releases.status()).toMatchObject({ state: 'ready', id: first.id, refused: expect.any(String) })
    expect(onProblem).toHaveBeenCalledTimes(1)
    const fresh = await serve(build)
    expect(fresh.releases.status().state).toBe('broken')
    expect(await fresh.releases.editions()).toEqual([])
  },
)

it('streams a large file whole and in part, and closes it when the reader leaves', async () => {
  await using build = await createTestBuild()
  const video = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 31) % 251)
  await build.write('video/tour.mp4', video)
  await pack(build)
  const { get } = await serve(build, { maxHeldBytes: 1_000 })
  const whole = (await get('/video/tour.mp4')).response
  expect(Buffer.from(await whole.arrayBuffer()).equals(Buffer.from(video))).toBe(true)
  const part = (await get('/video/tour.mp4', { Range: 'bytes=100000-200000' })).response
  expect([part.status, part.headers.get('Content-Range')]).toEqual([206, 'bytes 100000-200000/300000'])
  expect(Buffer.from(await part.arrayBuffer()).equals(Buffer.from(video.subarray(100_000, 200_001)))).toBe(
    true,
  )
  const openBefore = (await readdir('/proc/self/fd').catch(() => [])).length
  for (let round = 0; round < 20; round += 1) {
    await (await get('/video/tour.mp4')).response.body?.cancel()
  }
  expect((await readdir('/proc/self/fd').catch(() => [])).length).toBeLessThan(openBefore + 5)
})

it('answers preconditions and ranges of held files', async () => {
  await using build = await createTestBuild()
  await pack(build)
  const { get } = await serve(build)
  const etag = (await get('/img/photo.png')).response.headers.get('ETag') ?? ''
  const rows: [Record<string, string>, number, string | null][] = [
    [{ 'If-None-Match': etag }, 304, null],
    [{ 'If-None-Match': `"x", W/${etag}` }, 304, null],
    [{ 'If-None-Match': '*' }, 304, null],
    [{ 'If-None-Match': '"other"' }, 200, null],
    [{ 'If-None-Match': etag, Range: 'bytes=0-9' }, 304, null],
    [{ 'If-Match': etag }, 200, null],
    [{ 'If-Match': `W/${etag}` }, 412, null],
    [{ 'If-Match': '"other"' }, 412, null],
    [{ Range: 'bytes=0-9' }, 206, 'bytes 0-9/1000'],
    [{ Range: 'bytes=-1' }, 206, 'bytes 999-999/1000'],
    [{ Range: 'bytes=0-9', 'If-Range': etag }, 206, 'bytes 0-9/1000'],
    [{ Range: 'bytes=0-9', 'If-Range': `W/${etag}` }, 200, null],
    [{ Range: 'bytes=0-9', 'If-Range': '"other"' }, 200, null],
    [{ Range: 'bytes=0-9', 'If-Range': 'Tue, 01 Apr 2025 00:00:00 GMT' }, 200, null],
    [{ Range: 'bytes=1000-' }, 416, 'bytes */1000'],
    [{ Range: 'bytes=0-1,5-6' }, 200, null],
  ]
  for (const [headers, status, contentRange] of rows) {
    const { response } = await get('/img/photo.png', headers)
    expect([headers, response.status, response.headers.get('Content-Range')]).toEqual([
      headers,
      status,
      contentRange,
    ])
    const body = await response.arrayBuffer()
    if (status !== 304) expect(body.byteLength).toBe(Number(response.headers.get('Content-Length')))
    expect(response.headers.get('Cache-Control')).toBe('private, no-store')
  }
})

it('a page’s Markdown is one thing under two addresses, with a tag of its own', async () => {
  await using build = await createTestBuild()
  await pack(build)
  const { get } = await serve(build)
  const [page, asked, named] = await Promise.all([
    get('/docs/guide', { Accept: 'text/html' }),
    get('/docs/guide', { Accept: 'text/markdown, text/html, */*' }),
    get('/docs/guide.md'),
  ])
  const texts = await Promise.all([asked, named].map(({ response }) => response.text()))
  expect(texts[0]).toContain('# 手引き\n')
  expect(texts[1]).toBe(texts[0])
  expect([page, asked, named].map(({ response }) => response.headers.get('vary'))).toEqual([
    'Accept-Encoding, Accept',
    'Accept-Encoding, Accept',
    'Accept-Encoding',
  ])
  const tags = [page, asked, named].map(({ response }) => response.headers.get('etag'))
  expect(tags[1]).toBe(tags[2])
  expect(tags[0]).not.toBe(tags[1])
  expect([asked.path, asked.file?.type]).toEqual(['/docs/guide.md', 'text/markdown; charset=utf-8'])
  const again = await get('/docs/guide', { Accept: 'text/markdown', 'If-None-Match': tags[1] ?? '' })
  expect([again.response.status, again.response.headers.get('vary')]).toEqual([
    304,
    'Accept-Encoding, Accept',
  ])
  const stale = await get('/docs/guide', { Accept: 'text/html', 'If-None-Match': tags[1] ?? '' })
  expect(stale.response.status).toBe(200)
  const head = await get('/docs/guide', { Accept: 'text/markdown' }, 'HEAD')
  expect([head.response.status, head.response.headers.get('etag')]).toEqual([200, tags[1]])
})
