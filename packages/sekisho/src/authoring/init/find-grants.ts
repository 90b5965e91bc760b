import { readFile } from 'node:fs/promises'
import type { Grant } from '@sekisho/contract/grants'
import { listBuild, readPage, readStyleSheet } from '@sekisho/release/packing'

/** Limit of files to search; the build reports on larger sites. */
const MAX_FILES = 500

/** The grants that the pages of a build ask for; none where there is no build. */
export async function findGrants(buildDir: string): Promise<readonly Grant[]> {
  const listed = await listBuild(buildDir).catch(() => null)
  const files = (listed?.files ?? []).filter(({ name }) => /\.(?:html|css)$/i.test(name))
  const refused = await Promise.all(
    files.slice(0, MAX_FILES).map(async ({ name, file }) => {
      const text = await readFile(file, 'utf8')
      return name.endsWith('.css') ? readStyleSheet(text) : readPage(text).refused
    }),
  )
  return refused.flat().flatMap(({ grant }) => grant ?? [])
}
