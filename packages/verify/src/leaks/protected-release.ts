import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import {
  type Edition,
  listReleaseIds,
  loadManifest,
  type Manifest,
  readPointer,
  searchIndexes,
  storedFiles,
} from '@sekisho/release'
import { htmlText, unescapeScript } from './views.ts'

/** A stretch of bytes that needs a session, with its place in the release. */
export interface ProtectedText {
  readonly where: string
  readonly bytes: Buffer
}

/** The release as verify needs it. */
export interface ProtectedRelease {
  /** Decoded canonical request paths with their files. */
  readonly files: ReadonlyMap<
    string,
    { readonly sha256: string; readonly type: string; readonly title?: string }
  >
  /** Paths a signed-in reader is redirected from. */
  readonly redirects: ReadonlyMap<string, string>
  /** Language tags of further locales by the path their pages are below (`/en/`). */
  readonly locales: ReadonlyMap<string, string>
  /** Every stored byte: files, their stored codings, the search index. Read again on every call. */
  readonly storedBytes: () => Iterable<ProtectedText & { readonly type: string }>
}

/**
 * Everything protected, piece by piece so that memory stays bounded by the largest file: the stored bytes, and
 * for pages and scripts also the text they show, because a leak need not keep the markup around it.
 */
export function* protectedTexts(release: ProtectedRelease): Generator<ProtectedText> {
  for (const { where, bytes, type } of release.storedBytes()) {
    yield { where, bytes }
    if (/^text\/html|\bxml\b/.test(type))
      yield { where, bytes: Buffer.from(htmlText(bytes.toString('utf8'))) }
    else if (/javascript|json/.test(type) && bytes.includes('\\')) {
      yield { where, bytes: Buffer.from(unescapeScript(bytes.toString('utf8'))) }
    }
  }
}

/** Only what pages show their readers: the part of a release that no other program's files hold by chance. */
export function* shownTexts(release: ProtectedRelease): Generator<ProtectedText> {
  for (const { where, bytes, type } of release.storedBytes()) {
    if (type.startsWith('text/html')) yield { where, bytes: Buffer.from(htmlText(bytes.toString('utf8'))) }
  }
}

/** One edition of a release: what one kind of reader gets. */
export interface OpenedEdition extends ProtectedRelease {
  readonly name: string
  readonly audiences: readonly string[]
  readonly hasSearch: boolean
}

/** A release as verify reads it, with its own name. */
export interface OpenedRelease extends ProtectedRelease {
  readonly editions: readonly OpenedEdition[]
  readonly id: string
  readonly site: Manifest['site']
}

/** Opens a release of a releases folder: the one named, or else the one being served. Null when there is none. */
export async function openRelease(releasesDir: string, id: string | null): Promise<OpenedRelease | null> {
  const chosen = id ?? (await readPointer(releasesDir))
  if (chosen === null) return null
  const manifest = await loadManifest(releasesDir, chosen)
  const folder = join(releasesDir, chosen)
  const locales = new Map(Object.entries(manifest.site.locales ?? {}))
  const editions = manifest.editions.map((edition) => ({
    name: edition.name,
    audiences: edition.audiences,
    hasSearch: edition.search !== null,
    files: edition.files,
    redirects: edition.redirects,
    locales,
    storedBytes: () => storedBytes(folder, [edition]),
  }))
  return {
    id: chosen,
    site: manifest.site,
    editions,
    locales,
    files: new Map(editions.flatMap(({ files }) => [...files])),
    redirects: new Map(editions.flatMap(({ redirects }) => [...redirects])),
    storedBytes: () => storedBytes(folder, manifest.editions),
  }
}

/** Opens the releases that are kept beside one; what cannot be read is left out, as the gate does. */
export async function openOthers(releasesDir: string, id: string): Promise<readonly OpenedRelease[]> {
  const ids = (await listReleaseIds(releasesDir)).filter((kept) => kept !== id)
  const opened = await Promise.all(ids.map((kept) => openRelease(releasesDir, kept).catch(() => null)))
  return opened.filter((release) => release !== null)
}

/** Each stored file once, however many paths and editions lead to it. */
function* storedBytes(folder: string, editions: readonly Edition[]) {
  const known = new Map<string, { where: string; type: string }>()
  for (const edition of editions) {
    for (const [path, file] of edition.files) {
      const [plain, ...encoded] = storedFiles(file)
      if (plain !== undefined) known.set(plain.name, { where: path, type: file.type })
      for (const one of encoded) known.set(one.name, { where: `${path} (${extname(one.name)})`, type: '' })
    }
    for (const search of searchIndexes(edition))
      known.set(search.name, { where: `a search index of ${edition.name}`, type: '' })
  }
  for (const [name, { where, type }] of known) yield { where, bytes: readFileSync(join(folder, name)), type }
}
