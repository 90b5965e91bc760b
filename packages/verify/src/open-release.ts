import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { loadManifest, type Manifest, readPointer, storedFiles } from '@sekisho/release'
import type { ProtectedRelease } from './leaks/protected-text.ts'

/** A release as verify reads it, with its own name. */
export interface OpenedRelease extends ProtectedRelease {
  readonly id: string
  readonly site: Manifest['site']
}

/** Opens a release of a releases folder: the one named, or else the one being served. Null when there is none. */
export async function openRelease(releasesDir: string, id: string | null): Promise<OpenedRelease | null> {
  const chosen = id ?? (await readPointer(releasesDir))
  if (chosen === null) return null
  const manifest = await loadManifest(releasesDir, chosen)
  return {
    id: chosen,
    site: manifest.site,
    files: new Map(manifest.editions.flatMap(({ files }) => [...files])),
    redirects: new Map(manifest.editions.flatMap(({ redirects }) => [...redirects])),
    storedBytes: () => storedBytes(join(releasesDir, chosen), manifest),
  }
}

/** Each stored file once, however many paths and editions lead to it. */
function* storedBytes(folder: string, manifest: Manifest) {
  const known = new Map<string, { where: string; type: string }>()
  for (const { name, files, search } of manifest.editions) {
    for (const [path, file] of files) {
      const [plain, ...encoded] = storedFiles(file)
      if (plain !== undefined) known.set(plain.name, { where: path, type: file.type })
      for (const one of encoded) known.set(one.name, { where: `${path} (${extname(one.name)})`, type: '' })
    }
    if (search !== null) known.set(search.name, { where: `the search index of ${name}`, type: '' })
  }
  for (const [name, { where, type }] of known) yield { where, bytes: readFileSync(join(folder, name)), type }
}
