import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { type DividedIndex, SIDECAR } from '@sekisho/contract/site-json'
import type { EditionBuild } from '@sekisho/release/packing'
import { divideIndexes } from '@sekisho/search/indexer'

/** The search indexes of a build, those of further locales and versions too. */
const INDEX = new RegExp(`(?:^|/)${SIDECAR}/[\\w-]+\\.db$`)

/** Divides the search indexes of the same place in several builds into what editions have in common, and what is their own. */
export async function shareIndexes(builds: readonly EditionBuild[]): Promise<readonly EditionBuild[]> {
  const found = await Promise.all(
    builds.map(async ({ name, buildDir }) => {
      const entries = await readdir(buildDir, { recursive: true, withFileTypes: true })
      const files = entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name: file }) => relative(buildDir, join(parentPath, file)))
      const indexes = files.filter((file) => INDEX.test(file.replaceAll(sep, '/')))
      return indexes.map((place) => ({ name, place, file: join(buildDir, place) }))
    }),
  )
  const dividedIndexes = new Map<string, DividedIndex>()
  for (const same of Map.groupBy(found.flat(), ({ place }) => place).values()) {
    const files = new Map(same.map(({ name, file }) => [name, file]))
    for (const [name, divided] of divideIndexes(files)) dividedIndexes.set(files.get(name) ?? '', divided)
  }
  return builds.map((build) => ({ ...build, dividedIndexes }))
}
