import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { isIntact, listReleaseIds, loadManifest, movePointer, readPointer } from '../release-store.ts'
import { createTestBuild, loadOnlyEdition, pageHtml, SITE, type TestBuild } from '../testing/test-build.ts'
import { CONTENTS_MAKER } from './build/page-contents.ts'
import { packRelease } from './pack.ts'

const CLOCK = () => Date.UTC(2025, 3, 1, 9, 30, 5)

const DAY_MS = 86_400_000
const pack = (build: TestBuild, clock = CLOCK, maxReleases = 5) =>
  packRelease({ ...build, clock, retention: { keepMs: 30 * DAY_MS, maxReleases } })

it('makes a release that holds every file at its request path, and nothing else', async () => {
  await using build = await createTestBuild()
  const report = await pack(build)
  expect(report.id).toMatch(/^20250401T093005Z-[0-9a-f]{8}$/)
  expect(await readPointer(build.releasesDir)).toBe(report.id)
  const manifest = await loadManifest(build.releasesDir, report.id)
  expect(manifest.createdAt).toBe('2025-04-01T09:30:05Z')
  const edition = await loadOnlyEdition(build.releasesDir, report.id)
  expect([...edition.files].map(([path, file]) => [path, file.delivery, file.cache, file.type])).toEqual([
    ['/', 'page', 'no-store', 'text/html; charset=utf-8'],
    ['/404.html', 'page', 'no-store', 'text/html; charset=utf-8'],
    ['/assets/js/main.0a1b2c3d.js', 'resource', 'immutable', 'text/javascript; charset=utf-8'],
    ['/blog/rss.xml', 'isolated', 'no-store', 'application/xml; charset=utf-8'],
    ['/docs/base.md', 'resource', 'no-store', 'text/markdown; charset=utf-8'],
    ['/docs/base/', 'page', 'no-store', 'text/html; charset=utf-8'],
    ['/docs/guide', 'page', 'no-store', 'text/html; charset=utf-8'],
    ['/docs/guide.md', 'resource', 'no-store', 'text/markdown; charset=utf-8'],
    ['/docs/環境', 'page', 'no-store', 'text/html; charset=utf-8'],
    ['/docs/環境.md', 'resource', 'no-store', 'text/markdown; charset=utf-8'],
    ['/files/demo.html', 'page', 'no-store', 'text/html; charset=utf-8'],
    ['/files/demo.md', 'resource', 'no-store', 'text/markdown; charset=utf-8'],
    ['/files/manual.pdf', 'download', 'no-store', 'application/pdf'],
    ['/img/logo.svg', 'isolated', 'no-store', 'image/svg+xml; charset=utf-8'],
    ['/img/photo.png', 'resource', 'no-store', 'image/png'],
    ['/index.md', 'resource', 'no-store', 'text/markdown; charset=utf-8'],
  ])
  expect(report).toMatchObject({ files: 16, pages: 6, reused: false })
  expect([...report.leftOut].sort()).toEqual([
    '.env',
    '__sekisho/site.json',
    'assets/js/main.0a1b2c3d.js.map',
    'bundle-stats.json',
  ])
})

it('stores encodings that decode to the plain bytes', async () => {
  await using build = await createTestBuild()
  const { id } = await pack(build)
  const file = (await loadOnlyEdition(build.releasesDir, id)).files.get('/docs/guide')
  const read = (suffix: string) => readFile(join(build.releasesDir, id, 'files', `${file?.sha256}${suffix}`))
  const plain = await read('')
  expect(plain.toString()).toBe(pageHtml('手引き'))
  expect(brotliDecompressSync(await read('.br'))).toEqual(plain)
  expect(zstdDecompressSync(await read('.zst'))).toEqual(plain)
  expect(gunzipSync(await read('.gz'))).toEqual(plain)
  expect(file?.encodings.br?.bytes).toBeLessThan(plain.length)
})

it('holds every locale and version of a site, each with its own search index', async () => {
  await using build = await createTestBuild()
  const english = { ...SITE, lang: 'en', baseUrl: '/en/', redirects: [] }
  const pages = [{ path: '/en/', file: 'index.html', title: 'Home' }]
  const versions = [{ path: '/en/1.0/', search: 'search-1.db' }]
  await build.write('en/__sekisho/site.json', JSON.stringify({ ...english, pages, versions }))
  await build.write('en/__sekisho/search.db', 'an English index')
  await build.write('en/__sekisho/search-1.db', 'an index of the first version')
  for (const name of ['index.html', '404.html']) await build.write(`en/${name}`, pageHtml(name))
  const { id } = await pack(build)
  expect((await loadManifest(build.releasesDir, id)).site.locales).toEqual({ '/en/': 'en' })
  const edition = await loadOnlyEdition(build.releasesDir, id)
  expect(edition.files.get('/en/')).toMatchObject({ delivery: 'page', title: 'Home' })
  expect(edition.redirects.get('/en')).toBe('/en/')
  expect(edition.files.get('/en/404.html')).toMatchObject({ delivery: 'page' })
  expect([...(edition.localeSearches?.keys() ?? [])]).toEqual(['/en/', '/en/1.0/'])
  const indexes = [edition.search, ...(edition.localeSearches?.values() ?? [])]
  expect(new Set(indexes.map((stored) => stored?.sha256)).size).toBe(3)

  await build.write('en/__sekisho/site.json', JSON.stringify({ ...english, baseUrl: '/us/', pages }))
  await expect(pack(build)).rejects.toThrow('the locale in en/ is served below /us/; it has to be /en/')
})

it('serves a site below its path, and leads there from the root', async () => {
  await using build = await createTestBuild()
  const pages = SITE.pages.map((page) => ({ ...page, path: `/handbook${page.path}` }))
  const redirects = SITE.redirects.map(({ from, to }) => ({ from: `/handbook${from}`, to: `/handbook${to}` }))
  await build.writeSite({ baseUrl: '/handbook/', pages, redirects })
  const edition = await loadOnlyEdition(build.releasesDir, (await pack(build)).id)
  expect([...edition.files.keys()].filter((path) => !path.startsWith('/handbook/'))).toEqual([])
  expect(edition.notFound).toBe('/handbook/404.html')
  expect(['/', '/handbook', '/index.html'].map((path) => edition.redirects.get(path))).toEqual([
    '/handbook/',
    '/handbook/',
    undefined,
  ])
})

it('redirects every alternative path of a page, follows redirects, and keeps 404.html out of them', async () => {
  await using build = await createTestBuild()
  await build.writeSite({ redirects: [...SITE.redirects, { from: '/old', to: '/docs' }] })
  const { redirects } = await loadOnlyEdition(build.releasesDir, (await pack(build)).id)
  const expected: Record<string, string> = {
    '/index.html': '/',
    '/docs/guide/': '/docs/guide',
    '/docs/guide.html': '/docs/guide',
    '/docs/guide/index.html': '/docs/guide',
    '/docs/base': '/docs/base/',
    '/docs/base/index.html': '/docs/base/',
    '/docs/環境/': '/docs/環境',
    '/docs': '/docs/guide#始め',
    '/docs/': '/docs/guide#始め',
    '/docs/index.html': '/docs/guide#始め',
    '/old': '/docs/guide#始め',
  }
  for (const [from, to] of Object.entries(expected)) expect([from, redirects.get(from)]).toEqual([from, to])
  expect([...redirects.keys()].filter((path) => path.includes('404'))).toEqual([])
})

it('compresses an unchanged file once, and uses the same release again for the same content', async () => {
  await using build = await createTestBuild()
  const first = await pack(build)
  expect(first.compressed).toBeGreaterThan(0)
  const again = await pack(build, () => CLOCK() + 60_000)
  expect(again).toMatchObject({ id: first.id, reused: true, compressed: 0 })
  await build.write('docs/guide/index.html', pageHtml('新しい手引き'))
  const changed = await pack(build, () => CLOCK() + 120_000)
  expect(changed.compressed).toBe(3)
  expect(await readPointer(build.releasesDir)).toBe(changed.id)
})

it('packs a large build in threads, equal files of every kind included, as it packs a small one', async () => {
  await using build = await createTestBuild()
  const small = await pack(build)
  const twin = 'const 関所 = "手形"\n'.repeat(2000)
  for (let at = 0; at < 100; at += 1) {
    await build.write(`files/text-${at}.txt`, at % 2 === 0 ? twin : `${at} ${twin}`)
    await build.write(`files/picture-${at}.png`, at % 2 === 0 ? twin : `${at}`)
  }
  const large = await pack(build, () => CLOCK() + 60_000)
  expect(large.files).toBe(small.files + 200)
  expect(await isIntact(build.releasesDir, large.id)).toBe(true)
  const [before, after] = await Promise.all([
    loadOnlyEdition(build.releasesDir, small.id),
    loadOnlyEdition(build.releasesDir, large.id),
  ])
  for (const [path, file] of before.files) expect([path, after.files.get(path)]).toEqual([path, file])
  expect(Object.keys(after.files.get('/files/text-0.txt')?.encodings ?? {})).toEqual(['br', 'zstd', 'gzip'])
  expect(after.files.get('/files/picture-0.png')?.encodings).toEqual({})
  expect(await pack(build, () => CLOCK() + 120_000)).toMatchObject({ id: large.id, compressed: 0 })
})

it('says why a file could not be stored, and publishes nothing, when a thread finds out', async () => {
  await using build = await createTestBuild()
  const first = await pack(build)
  for (let at = 0; at < 100; at += 1) await build.write(`files/text-${at}.txt`, `${at}`)
  await writeFile(join(build.dataDir, 'cache', 'compressed', 'br-11'), 'no folder')
  await build.write('index.html', `${pageHtml('新')}<script src="/files/text-0.txt"></script>`)
  await build.write('docs/guide/index.html', `${pageHtml('新')}<script src="/files/shared.js"></script>`)
  await build.write('docs/base/index.html', `${pageHtml('新')}<script src="/files/shared.js"></script>`)
  await build.write('docs/環境/index.html', `${pageHtml('新')}<script src="/files/shared.js"></script>`)
  await build.write('files/shared.js', 'console.log("関所")\n'.repeat(100))
  await expect(pack(build, () => CLOCK() + 60_000)).rejects.toThrow(/br-11/)
  expect(await readPointer(build.releasesDir)).toBe(first.id)
})

it('does not trust a damaged cache or a damaged earlier release', async () => {
  await using build = await createTestBuild()
  const first = await pack(build)
  const files = join(build.releasesDir, first.id, 'files')
  for (const name of await readdir(files)) {
    const file = join(files, name)
    await chmod(file, 0o644)
    await writeFile(file, Buffer.alloc((await stat(file)).size, 'x'))
  }
  const second = await pack(build, () => CLOCK() + 60_000)
  expect(second).toMatchObject({ reused: false, compressed: first.compressed })
  const { files: pages } = await loadOnlyEdition(build.releasesDir, second.id)
  const page = pages.get('/docs/guide')
  expect((await readFile(join(build.releasesDir, second.id, 'files', page?.sha256 ?? ''))).toString()).toBe(
    pageHtml('手引き'),
  )
})

it('says of a page that was packed before what it said then, and reads it anew where that was damaged', async () => {
  await using build = await createTestBuild()
  const button = '<button onclick="run()">実行</button>'
  await build.write('docs/base/index.html', `${button}<img src="/img/photo.png">${pageHtml('基礎')}`)
  const described = async (minute: number) => {
    await build.write('docs/guide/index.html', pageHtml(`第${minute}版`)) // so that no release is used again
    const { id, refused } = await pack(build, () => CLOCK() + minute * 60_000)
    const { files } = await loadOnlyEdition(build.releasesDir, id)
    return { refused, page: files.get('/docs/base/'), picture: files.get('/img/photo.png') }
  }
  const first = await described(0)
  expect(first.refused.map(({ what }) => what)).toEqual(['button onclick'])
  expect(first.picture?.partOf).toEqual(['/docs/base/'])
  expect(first.page?.scriptHashes).toHaveLength(1)
  expect(await described(1)).toEqual(first)
  const kept = join(build.dataDir, 'cache', 'compressed', CONTENTS_MAKER)
  for (const name of await readdir(kept))
    await writeFile(join(kept, name), '{"scriptHashes":["\'unsafe-inline\'"]}')
  expect(await described(2)).toEqual(first)
})

it('keeps the newest releases and the one being served', async () => {
  await using build = await createTestBuild()
  const ids: string[] = []
  for (let day = 0; day < 5; day += 1) {
    await build.write('docs/guide/index.html', pageHtml(`第${day}版`))
    ids.push((await pack(build, () => CLOCK() + day * DAY_MS, 3)).id)
  }
  expect(await listReleaseIds(build.releasesDir)).toEqual(ids.slice(2).reverse())
  await movePointer(build.releasesDir, ids[2] ?? '')
  const cached = await readdir(join(build.dataDir, 'cache', 'compressed', 'br-7'))
  const hashes = new Set(cached.map((name) => name.slice(0, 64)))
  const old = await loadOnlyEdition(build.releasesDir, ids[4] ?? '')
  expect(hashes.has(old.files.get('/docs/guide')?.sha256 ?? '')).toBe(true)
})

it('keeps a release for thirty days after it was replaced, however old it is', async () => {
  await using build = await createTestBuild()
  const publish = async (day: number) => {
    await build.write('docs/guide/index.html', pageHtml(`第${day}版`))
    return (await packRelease({ ...build, clock: () => CLOCK() + day * DAY_MS })).id
  }
  const first = await publish(0)
  const second = await publish(50)
  expect(await listReleaseIds(build.releasesDir)).toEqual([second, first])
  const third = await publish(79)
  expect(await listReleaseIds(build.releasesDir)).toEqual([third, second, first])
  await movePointer(build.releasesDir, first, CLOCK() + 80 * DAY_MS) // rolled back; the note of day 50 is old
  const fourth = await publish(120)
  expect(await listReleaseIds(build.releasesDir)).toEqual([fourth, first])
  const fifth = await publish(151)
  expect(await listReleaseIds(build.releasesDir)).toEqual([fifth, fourth])
})

it('stores the search index under its hash, as any other file', async () => {
  await using build = await createTestBuild()
  await build.write('__sekisho/search.db', 'index bytes')
  const { id } = await pack(build)
  const { search } = await loadOnlyEdition(build.releasesDir, id)
  expect(search?.bytes).toBe(11)
  expect((await readFile(join(build.releasesDir, id, search?.name ?? ''))).toString()).toBe('index bytes')
})

it('names the inline scripts of a page for its policy', async () => {
  await using build = await createTestBuild()
  const { files } = await loadOnlyEdition(build.releasesDir, (await pack(build)).id)
  expect(files.get('/docs/guide')?.scriptHashes).toEqual([
    "'sha256-k0vpjn7e5IzKnvxlrWZun3ID2HBge+7Mm0XU+5GDUh4='",
  ])
  expect(files.get('/files/demo.html')?.scriptHashes).toHaveLength(1)
})

it('says which pages load a file, and of what most pages load that it belongs to none', async () => {
  await using build = await createTestBuild()
  const withScripts = (title: string, ...names: readonly string[]) =>
    names.map((name) => `<script src="/assets/js/${name}.js"></script>`).join('') +
    `<link rel="alternate" href="/blog/rss.xml"><img src="/img/photo.png">${pageHtml(title)}`
  const pages = ['index', 'docs/guide/index', 'docs/base/index', 'docs/環境/index', '404']
  for (const [index, name] of pages.entries())
    await build.write(
      `${name}.html`,
      withScripts(name, 'main.0a1b2c3d', `own-${index}.0a1b2c3d`, index < 2 ? 'two.0a1b2c3d' : 'x'),
    )
  for (const name of ['own-1', 'two', 'lazy']) await build.write(`assets/js/${name}.0a1b2c3d.js`, name)
  const { files } = await loadOnlyEdition(build.releasesDir, (await pack(build)).id)
  const partOf = (path: string) => files.get(path)?.partOf
  expect(partOf('/assets/js/main.0a1b2c3d.js')).toEqual([])
  expect(partOf('/img/photo.png')).toEqual([])
  expect(partOf('/assets/js/own-1.0a1b2c3d.js')).toEqual(['/docs/guide'])
  expect(partOf('/assets/js/two.0a1b2c3d.js')).toEqual(['/', '/docs/guide'])
  for (const path of ['/assets/js/lazy.0a1b2c3d.js', '/blog/rss.xml', '/'])
    expect(partOf(path)).toBeUndefined()
})

const leadsTo = (to: string) =>
  `<!DOCTYPE html><html><head><meta charset="UTF-8"><meta http-equiv="refresh" content="0; url=${to}"></head></html>`

it('makes redirects of pages that a plugin wrote as such', async () => {
  await using build = await createTestBuild()
  await build.write('old/page/index.html', leadsTo('/docs/guide'))
  await build.write('older.html', leadsTo('/docs/%E7%92%B0%E5%A2%83'))
  await build.write('asked.html', leadsTo('/docs/guide?from=asked#start'))
  await build.write('near/index.html', leadsTo('../docs/base/'))
  const { redirects } = await loadOnlyEdition(build.releasesDir, (await pack(build)).id)
  expect(redirects.get('/old/page')).toBe('/docs/guide')
  expect(redirects.get('/old/page/')).toBe('/docs/guide')
  expect(redirects.get('/older')).toBe('/docs/環境')
  expect(redirects.get('/asked')).toBe('/docs/guide#start')
  expect(redirects.get('/near/')).toBe('/docs/base/')
})

it('leaves out the indexes of a search that ours replaces', async () => {
  await using build = await createTestBuild()
  await build.write('search-index-docs.json', '[]')
  await build.write('search-data.json', '[]')
  await build.write('pagefind/wasm.en.pagefind', 'wasm')
  await build.write('pagefind-notes.txt', 'notes')
  await build.writeSite({ unused: ['search-index', 'pagefind/'] })
  const { id, leftOut } = await pack(build)
  const { files } = await loadOnlyEdition(build.releasesDir, id)
  for (const name of ['search-index-docs.json', 'pagefind/wasm.en.pagefind']) {
    expect([name, files.has(`/${name}`)]).toEqual([name, false])
    expect(leftOut).toContain(name)
  }
  for (const path of ['/search-data.json', '/pagefind-notes.txt'])
    expect([path, files.has(path)]).toEqual([path, true])
})

it('keeps a page that a plugin also redirects to under another spelling (fromExtensions)', async () => {
  await using build = await createTestBuild()
  await build.write('docs/guide.html/index.html', leadsTo('/docs/guide'))
  await build.write('docs/base.html/index.html', leadsTo('/docs/base/'))
  await build.write('docs/環境.html.html', leadsTo('/docs/%E7%92%B0%E5%A2%83'))
  await build.write('docs/base.htm/index.html', leadsTo('/docs/base/'))
  const { redirects, files } = await loadOnlyEdition(build.releasesDir, (await pack(build)).id)
  for (const page of ['/docs/guide', '/docs/base/', '/docs/環境'])
    expect([page, files.get(page)?.delivery]).toEqual([page, 'page'])
  const expected: Record<string, string> = {
    '/docs/guide.html': '/docs/guide',
    '/docs/guide/': '/docs/guide',
    '/docs/guide/index.html': '/docs/guide',
    '/docs/base': '/docs/base/',
    '/docs/base.html': '/docs/base/',
    '/docs/base.htm': '/docs/base/',
    '/docs/環境.html': '/docs/環境',
  }
  for (const [from, to] of Object.entries(expected)) expect([from, redirects.get(from)]).toEqual([from, to])
  expect([...files.keys()].filter((path) => path.includes('.htm'))).toEqual(['/404.html', '/files/demo.html'])
})

it('leaves out redirects that lead nowhere, says where each is written, and keeps pages that lead to another host', async () => {
  await using build = await createTestBuild()
  await build.write('gone/index.html', leadsTo('/docs/none'))
  await build.write('away.html', leadsTo('https://elsewhere.example/'))
  const loop = [
    { from: '/a', to: '/b' },
    { from: '/b', to: '/a' },
  ]
  await build.writeSite({ redirects: [...SITE.redirects, { from: '/evil', to: '//evil.example' }, ...loop] })
  const { id, lost } = await pack(build)
  expect(lost).toEqual([
    { from: '/evil', to: '//evil.example', source: '__sekisho/site.json' },
    { from: '/a', to: '/b', source: '__sekisho/site.json' },
    { from: '/b', to: '/a', source: '__sekisho/site.json' },
    { from: '/gone', to: '/docs/none', source: 'gone/index.html' },
  ])
  const { redirects, files } = await loadOnlyEdition(build.releasesDir, id)
  for (const { from } of lost) expect([redirects.get(from), files.get(from)]).toEqual([undefined, undefined])
  expect([...redirects.values()].filter((to) => /none|example/.test(to))).toEqual([])
  expect(files.get('/away.html')?.delivery).toBe('page')
})

it('keeps the text of each page as Markdown under a name that the site left free', async () => {
  await using build = await createTestBuild()
  await writeFile(join(build.buildDir, 'docs', 'guide.md'), '# 自分の\n')
  const { id } = await pack(build)
  const { files } = await loadOnlyEdition(build.releasesDir, id)
  const markdownOf = (path: string) => files.get(path)?.markdown
  expect(['/', '/docs/base/', '/docs/guide', '/404.html'].map(markdownOf)).toEqual([
    '/index.md',
    '/docs/base.md',
    '/docs/guide/index.md',
    undefined,
  ])
  const { sha256, encodings } = files.get('/docs/guide/index.md') ?? { sha256: '', encodings: {} }
  const text = await readFile(join(build.releasesDir, id, 'files', sha256), 'utf8')
  expect(text).toMatch(/^---\ntitle: "手引き"\n---\n\n# 手引き\n/)
  expect(Object.keys(encodings).filter((name) => name !== 'br')).toEqual([])
})
