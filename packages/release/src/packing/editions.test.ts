import { hash } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DividedIndex } from '@sekisho/contract/site-json'
import { expect, it } from 'vitest'
import { isIntact, loadManifest } from '../release-store.ts'
import { createTestBuild, pageHtml, SITE, type TestBuild } from '../testing/test-build.ts'
import { packRelease } from './pack.ts'

const clock = () => Date.UTC(2026, 10, 23)
const OPS = { path: '/docs/ops', file: 'docs/ops/index.html', title: '運用' }

/** Creates a build for operators, and one for all readers that lacks a page. */
async function createBuilds() {
  const [ops, all] = [await createTestBuild(), await createTestBuild()]
  await ops.writeSite({ pages: [...SITE.pages, OPS] })
  await ops.write('docs/ops/index.html', pageHtml('運用の当番'))
  await ops.write(
    'img/plan.png',
    Uint8Array.from({ length: 900 }, (_, at) => (at * 31) % 253),
  )
  return {
    ops,
    all,
    pack: (dataDir = ops.dataDir) => packRelease({ ...editionsOf(ops, all), dataDir, clock }),
    async [Symbol.asyncDispose]() {
      await ops[Symbol.asyncDispose]()
      await all[Symbol.asyncDispose]()
    },
  }
}

const editionsOf = (ops: TestBuild, all: TestBuild) => ({
  editions: [
    { name: 'ops', audiences: ['ops'], buildDir: ops.buildDir },
    { name: 'everyone', audiences: [], buildDir: all.buildDir },
  ],
})

it('packs an edition for each build, in their order, and stores equal files once', async () => {
  await using builds = await createBuilds()
  const { id } = await builds.pack()
  const { editions } = await loadManifest(builds.ops.releasesDir, id)
  expect(editions.map(({ name, audiences }) => [name, audiences])).toEqual([
    ['ops', ['ops']],
    ['everyone', []],
  ])
  const [ops, everyone] = editions.map(({ files }) => files)
  expect([...(ops?.keys() ?? [])].filter((path) => !everyone?.has(path))).toEqual([
    '/docs/ops',
    '/docs/ops.md',
    '/img/plan.png',
  ])
  expect([...(everyone?.keys() ?? [])].filter((path) => !ops?.has(path))).toEqual([])
  const stored = await readdir(join(builds.ops.releasesDir, id, 'files'))
  const alone = await packRelease({ buildDir: builds.ops.buildDir, dataDir: builds.all.dataDir, clock })
  expect(stored.sort()).toEqual((await readdir(join(builds.all.releasesDir, alone.id, 'files'))).sort())
})

it.each([
  ['a link', '<a href="/docs/ops#当番">当番</a>', '/docs/ops'],
  ['a relative link', '<a href=../ops/>当番</a>', '/docs/ops/'],
  ['a picture', "<img src='/img/plan.png' alt=''>", '/img/plan.png'],
  [
    'a link by the address that the page has itself',
    '<link data-rh="true" rel="canonical" href="https://me.example/docs/base"><a href="https://me.example/docs/ops">当番</a>',
    '/docs/ops',
  ],
  [
    'a picture for other sites',
    '<link rel=canonical href=https://me.example/docs/base><meta property=og:image content=https://me.example/img/plan.png>',
    '/img/plan.png',
  ],
])('refuses %s from an edition to what only another one holds', async (_, html, target) => {
  await using builds = await createBuilds()
  await builds.all.write('docs/base/index.html', `${pageHtml('基本')}${html}`)
  await builds.ops.write('docs/base/index.html', `${pageHtml('基本')}${html}`)
  await expect(builds.pack()).rejects.toThrow(`/docs/base/ (edition everyone) names ${target}`)
})

it('lets pages name other hosts, and what their own edition holds', async () => {
  await using builds = await createBuilds()
  const html = '<a href="https://example.com/docs/ops">外</a><a href="/docs/guide">手引き</a>'
  await builds.all.write('docs/base/index.html', `${pageHtml('基本')}${html}`)
  await builds.ops.write('docs/base/index.html', `${pageHtml('基本')}<a href="/docs/ops">当番</a>`)
  await expect(builds.pack()).resolves.toMatchObject({ reused: false })
})

it('stores a part of several search indexes once, and names it in each edition that has it', async () => {
  await using builds = await createBuilds()
  const [common, own] = [builds.all, builds.ops].map(({ root }, at) => join(root, `part-${at}.db`))
  const parts: readonly (readonly [TestBuild, readonly string[]])[] = [
    [builds.ops, [String(common), String(own)]],
    [builds.all, [String(common)]],
  ]
  const dividedIndexes = new Map<string, DividedIndex>()
  for (const [build, files] of parts) {
    const index = join(build.buildDir, '__sekisho/search.db')
    await build.write('__sekisho/search.db', `all of ${build.buildDir}`)
    await build.write('__sekisho/search.db.words', `words of ${build.buildDir}`)
    dividedIndexes.set(index, { words: `${index}.words`, parts: files })
  }
  await writeFile(String(common), 'pages of everybody')
  await writeFile(String(own), 'pages of operators')
  const editions = editionsOf(builds.ops, builds.all).editions.map((edition) => ({
    ...edition,
    dividedIndexes,
  }))
  const { id } = await packRelease({ editions, dataDir: builds.ops.dataDir, clock })
  const [ops, everyone] = (await loadManifest(builds.ops.releasesDir, id)).editions
  const hashes = (edition: typeof ops) => edition?.search?.parts?.map(({ sha256 }) => sha256)
  const [shared, forOps] = ['pages of everybody', 'pages of operators'].map((text) => hash('sha256', text))
  expect([hashes(ops), hashes(everyone)]).toEqual([[shared, forOps], [shared]])
  expect(ops?.search?.sha256).toBe(hash('sha256', `words of ${builds.ops.buildDir}`))
  expect(await readdir(join(builds.ops.releasesDir, id, 'files'))).toEqual(
    expect.arrayContaining([shared, forOps]),
  )
  expect(await isIntact(builds.ops.releasesDir, id)).toBe(true)
  await rm(join(builds.ops.releasesDir, id, 'files', String(forOps)))
  expect(await isIntact(builds.ops.releasesDir, id)).toBe(false)
})
