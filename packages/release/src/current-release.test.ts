import { execFileSync } from 'node:child_process'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { followCurrent } from './current-release.ts'
import { packRelease } from './packing/index.ts'
import { loadManifest, movePointer } from './release-store.ts'
import { createTestBuild, pageHtml, SITE } from './testing/index.ts'

it('a release that took long to read never takes the place of one that was published later', async () => {
  await using build = await createTestBuild()
  const { releasesDir } = build
  let clockMs = Date.UTC(2026, 0, 1)
  const pack = async (text: string) => {
    await build.write('docs/guide/index.html', pageHtml(text))
    return (await packRelease({ ...build, clock: () => (clockMs += 60_000) })).id
  }
  const [first, slow, last] = [await pack('one'), await pack('two'), await pack('three')]
  await movePointer(releasesDir, first)
  let nowMs = 0
  const onProblem = (reason: string) => expect.unreachable(reason)
  const current = await followCurrent({ releasesDir, elapsed: () => nowMs, onProblem })

  const file = join(releasesDir, slow, 'manifest.json')
  const bytes = await readFile(file)
  await rename(file, `${file}.kept`)
  execFileSync('mkfifo', [file]) // its reader waits for whoever writes
  await movePointer(releasesDir, slow)
  nowMs = 500
  const looking = current.manifest()
  await movePointer(releasesDir, last)
  const refreshed = current.refresh(await loadManifest(releasesDir, last))
  await writeFile(file, bytes)
  await Promise.all([looking, refreshed])
  expect(current.status()).toMatchObject({ state: 'ready', id: last })
})

it('a page that becomes others’ alone takes along its scripts of earlier releases', async () => {
  await using ops = await createTestBuild()
  await using all = await createTestBuild()
  const script = (name: string) => `assets/js/${name}.0a1b2c3d.js`
  const pageWith = (name: string) => `${pageHtml(name)}<script src="/${script(name)}"></script>`
  const duty = { path: '/docs/duty', file: 'docs/duty/index.html', title: '当番' }
  const gone = { path: '/docs/gone', file: 'docs/gone/index.html', title: '旧版' }
  for (const build of [ops, all]) {
    await build.writeSite({ pages: [...SITE.pages, duty, gone] })
    for (const name of ['duty', 'gone', 'guide']) {
      await build.write(`docs/${name}/index.html`, pageWith(name))
      await build.write(script(name), `console.log("the text of ${name}, of the first release")`)
    }
  }
  const editions = [
    { name: 'ops', audiences: ['ops'], buildDir: ops.buildDir },
    { name: 'everyone', audiences: [], buildDir: all.buildDir },
  ]
  let clockMs = Date.UTC(2026, 0, 1)
  const pack = () => packRelease({ editions, dataDir: ops.dataDir, clock: () => (clockMs += 60_000) })
  await pack()
  for (const build of [ops, all]) {
    await build.writeSite({ pages: build === ops ? [...SITE.pages, duty] : SITE.pages })
    for (const name of ['gone', ...(build === ops ? [] : ['duty'])])
      await rm(join(build.buildDir, `docs/${name}`), { recursive: true })
    for (const name of ['duty', 'gone', 'guide']) await rm(join(build.buildDir, script(name)))
    await build.write('docs/guide/index.html', pageHtml('guide'))
  }
  await ops.write('docs/duty/index.html', pageHtml('duty'))
  await pack()
  const onProblem = (reason: string) => expect.unreachable(reason)
  const current = await followCurrent({ releasesDir: ops.releasesDir, elapsed: () => 0, onProblem })
  const found = (edition: string) =>
    Promise.all(
      ['duty', 'gone', 'guide'].map(
        async (name) => (await current.findEarlier(edition, `/${script(name)}`)) !== null,
      ),
    )
  expect([await found('ops'), await found('everyone')]).toEqual([
    [true, false, true],
    [false, false, true],
  ])
})

/** Releases of two editions: of the second one the page on duty is the operators' alone. */
async function publishTwice({
  first,
  second = {},
}: {
  first: Record<string, string>
  second?: Record<string, string>
}) {
  const cleanup = new AsyncDisposableStack()
  const builds = [
    { name: 'ops', audiences: ['ops'], build: cleanup.use(await createTestBuild()) },
    { name: 'everyone', audiences: [], build: cleanup.use(await createTestBuild()) },
  ]
  const editions = builds.map(({ build, ...edition }) => ({ ...edition, buildDir: build.buildDir }))
  const duty = { path: '/docs/duty/', file: 'docs/duty/index.html', title: '当番' }
  const { dataDir, releasesDir } = builds[0]?.build ?? expect.unreachable()
  let clockMs = Date.UTC(2026, 0, 1)
  const pack = () => packRelease({ editions, dataDir, clock: () => (clockMs += 60_000) })
  for (const { build } of builds) {
    await build.writeSite({ pages: [...SITE.pages, duty] })
    await build.write(duty.file, pageHtml('当番'))
    for (const [name, text] of Object.entries(first)) await build.write(name, text)
  }
  await pack()
  for (const { name, build } of builds) {
    for (const file of Object.keys(first)) if (!file.endsWith('.html')) await rm(join(build.buildDir, file))
    const isOps = name === 'ops'
    await build.writeSite({ pages: isOps ? [...SITE.pages, duty] : SITE.pages })
    if (!isOps) await rm(join(build.buildDir, 'docs/duty'), { recursive: true })
    for (const page of SITE.pages) await build.write(page.file, pageHtml(page.title))
    if (isOps) for (const [file, text] of Object.entries(second)) await build.write(file, text)
  }
  await pack()
  const onProblem = (reason: string) => expect.unreachable(reason)
  const current = await followCurrent({ releasesDir, elapsed: () => 0, onProblem })
  return { current, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
}

const CANARY = 'assets/files/roster.0a1b2c3d.pdf'
const TEXT = 'the roster of the first release'
const loads = (address: string) => `<img src="${address}">`
it.each([
  ['a chunk that a script loads and no page names', { 'docs/duty/index.html': pageHtml('x') }, {}],
  ['an attachment that a page links to', { 'docs/guide/index.html': `<a href="/${CANARY}">x</a>` }, {}],
  [
    'relative addresses of the page that was restricted',
    { 'docs/duty/index.html': loads(`../../${CANARY}`) },
    {},
  ],
  [
    'a file that half of the pages load, and that none of the others names',
    Object.fromEntries(
      ['docs/duty', 'docs/base', 'docs/環境'].map((page) => [`${page}/index.html`, loads(`/${CANARY}`)]),
    ),
    { [CANARY]: TEXT },
  ],
  [
    'a file that has become the operators’ at the same path',
    { 'docs/guide/index.html': loads(`/${CANARY}`) },
    { [CANARY]: TEXT },
  ],
  [
    'a file that has become the operators’ at another path',
    { 'docs/guide/index.html': loads(`/${CANARY}`) },
    { 'assets/files/duty.9f8e7d6c.pdf': TEXT },
  ],
])('does not serve a file of an earlier release: %s', async (_what, first, second) => {
  await using published = await publishTwice({ first: { ...first, [CANARY]: TEXT }, second })
  expect(await published.current.findEarlier('everyone', `/${CANARY}`)).toBeNull()
})

it('serves a file of an earlier release that a page of the edition loads by a relative address', async () => {
  const first = { 'docs/guide/index.html': loads(`../../${CANARY}`), [CANARY]: TEXT }
  await using published = await publishTwice({ first })
  expect(await published.current.findEarlier('everyone', `/${CANARY}`)).not.toBeNull()
})
