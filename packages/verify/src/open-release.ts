import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENCODING_SUFFIXES, type Encoding, loadManifest, type Manifest, readPointer } from '@sekisho/release'
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
    files: manifest.files,
    redirects: manifest.redirects,
    storedBytes: () => storedBytes(join(releasesDir, chosen), manifest),
  }
}

/** Each stored file once, however many paths lead to it. */
function* storedBytes(folder: string, { files, search }: Manifest) {
  const seen = new Set<string>()
  for (const [path, file] of files) {
    if (seen.has(file.sha256)) continue
    seen.add(file.sha256)
    const stored = join(folder, 'files', file.sha256)
    yield { where: path, bytes: readFileSync(stored), type: file.type }
    for (const encoding of Object.keys(file.encodings) as Encoding[]) {
      const bytes = readFileSync(stored + ENCODING_SUFFIXES[encoding])
      yield { where: `${path} (${encoding})`, bytes, type: '' }
    }
  }
  if (search !== null) {
    yield { where: 'the search index', bytes: readFileSync(join(folder, 'search.db')), type: '' }
  }
}
