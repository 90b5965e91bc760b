import { join } from 'node:path'
import { loadManifest } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, type TestBuild } from '@sekisho/release/testing'
// biome-ignore lint/style/noRestrictedImports: the test makes an index of its own, as a release would hold one
import { buildIndex, divideIndexes, type Vocabulary } from '@sekisho/search/indexer'

/** A packed release whose index knows one page, found by 手形. */
export async function createSearchableBuild(): Promise<TestBuild> {
  const build = await createTestBuild()
  await writeGuideIndex(build, '関所を通る者は、まず手形を見せる。')
  await packRelease({ buildDir: build.buildDir, dataDir: build.dataDir, clock: Date.now })
  return build
}

/** A packed release of two editions whose indexes have the one page in common, and where this page is in the release. */
export async function createSearchableEditions(): Promise<{ builds: readonly TestBuild[]; part: string }> {
  const builds = [await createTestBuild(), await createTestBuild()] as const
  const indexes = new Map<string, string>()
  for (const [at, build] of builds.entries()) {
    await writeGuideIndex(build, '関所を通る者は、まず手形を見せる。')
    indexes.set(`edition-${at}`, join(build.buildDir, '__sekisho', 'search.db'))
  }
  const divided = divideIndexes(indexes)
  const dividedIndexes = new Map([...divided].map(([name, files]) => [indexes.get(name) ?? '', files]))
  const [first, last] = builds.map(({ buildDir }) => ({ buildDir, dividedIndexes }))
  if (first === undefined || last === undefined) throw new Error('there are two builds')
  const { dataDir, releasesDir } = builds[0]
  const editions = [
    { ...first, name: 'operators', audiences: ['operators'] },
    { ...last, name: 'everyone', audiences: [] },
  ]
  const { id } = await packRelease({ editions, dataDir, clock: Date.now })
  const [part] = (await loadManifest(releasesDir, id)).editions[1]?.search?.parts ?? []
  return { builds, part: join(releasesDir, id, part?.name ?? '') }
}

/** Writes an index that knows the guide, whose only section says this. */
export async function writeGuideIndex(
  build: TestBuild,
  text: string,
  vocabulary: Vocabulary = { words: [], synonyms: [] },
  path = '/docs/guide',
): Promise<void> {
  const page = {
    ...{ id: path, url: encodeURI(path), title: '手引き', kind: 'docs' as const },
    ...{ breadcrumbs: [], tags: ['運用'], date: '2026-05-01' },
    sections: [{ heading: '手形', level: 2, anchor: '手形', text }],
  }
  await build.write('__sekisho/.keep', '')
  const outFile = join(build.buildDir, '__sekisho', 'search.db')
  await buildIndex({ pages: [page], outFile, cacheDir: join(build.root, 'cache'), vocabulary })
}
