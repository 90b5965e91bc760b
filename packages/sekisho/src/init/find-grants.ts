import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Grant } from '@sekisho/contract/grants'
import { readPage, readStyleSheet } from '@sekisho/release/packing'

/** A site of more pages is told by its build; nobody should wait for this. */
const MAX_FILES = 500

/** The grants that the pages of a build ask for; none where there is no build. */
export async function findGrants(buildDir: string): Promise<readonly Grant[]> {
  const names = await readdir(buildDir, { recursive: true }).catch(() => [])
  const files = names.filter((name) => /\.(?:html|css)$/.test(name)).slice(0, MAX_FILES)
  const refused = await Promise.all(
    files.map(async (name) => {
      const text = await readFile(join(buildDir, name), 'utf8')
      return name.endsWith('.css') ? readStyleSheet(text) : readPage(text).refused
    }),
  )
  return refused.flat().flatMap(({ grant }) => grant ?? [])
}
