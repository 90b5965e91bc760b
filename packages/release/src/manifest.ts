import type { PageMetadata } from '@sekisho/contract/page-metadata'

/** A content encoding that is stored beside a file's plain bytes. */
export type Encoding = 'br' | 'zstd' | 'gzip'

/** Every stored encoding with the suffix of its file below `files/`. */
export const ENCODING_SUFFIXES: Readonly<Record<Encoding, string>> = { br: '.br', zstd: '.zst', gzip: '.gz' }

/** Lifetime of a response in browsers: `immutable` for content-hashed names, `no-store` for everything else. */
export type CachePolicy = 'immutable' | 'no-store'

/**
 * Permission of browsers to render a file. `page`: scripts run, but only its own (see `scriptHashes`). `isolated`: may carry script (SVG,
 * feeds, XML); sandboxed. `download`: may carry script and is no picture; saved, never shown. `resource`: inert by itself.
 */
export type Delivery = 'page' | 'isolated' | 'download' | 'resource'

/** One stored representation of a file's bytes. */
export interface StoredBytes {
  /** SHA-256 of exactly these bytes, lower-case hex. */
  readonly sha256: string
  readonly bytes: number
}

/** One file of a release, reached only through its request path; `sha256` is also its name below `files/`. */
export interface ReleaseFile extends StoredBytes {
  /** Full Content-Type value. */
  readonly type: string
  readonly delivery: Delivery
  readonly cache: CachePolicy
  readonly encodings: Readonly<Partial<Record<Encoding, StoredBytes>>>
  /** Title of a page, as the site names it; absent on other files. */
  readonly title?: string
  /** Path of a page's Markdown, in the same edition; absent on other files. */
  readonly markdown?: string
  /** Metadata of a page; absent on other files, and in releases of earlier versions. */
  readonly page?: PageMetadata
  /** CSP source expressions (`'sha256-…'`) of the inline scripts of a page. */
  readonly scriptHashes?: readonly string[]
  /**
   * Pages that load it, absent on files that no page names: up to eight, sorted; empty where at least half of all pages do, so that it
   * carries the text of none.
   */
  readonly partOf?: readonly string[]
}

/** Content served to one kind of reader. Nothing in an edition reveals that there are others. */
export interface Edition {
  readonly name: string
  /** Audiences of its pages; empty where it holds only pages for all admitted readers. */
  readonly audiences: readonly string[]
  /** Names for readers, by its own name and its audiences; absent where the site gives none. */
  readonly labels?: ReadonlyMap<string, string>
  /** Decoded canonical request path (`/docs/環境`) to file. */
  readonly files: ReadonlyMap<string, ReleaseFile>
  /** Alternative paths a signed-in reader is redirected from, to a path on this portal (a `#fragment` may follow). */
  readonly redirects: ReadonlyMap<string, string>
  /** Path (a key of `files`) of the page served with status 404. */
  readonly notFound: string
  /** The search index of this edition, or null when it has none. */
  readonly search: SearchIndex | null
  /** The indexes of further locales and versions, by the path their pages are below (`/ja/`, `/docs/1.0/`); absent where there is none. */
  readonly localeSearches?: ReadonlyMap<string, SearchIndex>
}

/** Some stored bytes and where they are. */
export interface StoredFile extends StoredBytes {
  /** Path below the release's folder. */
  readonly name: string
}

/** A search index. The pages of one that editions have in common are in files of their own, which those editions name too. */
export interface SearchIndex extends StoredFile {
  /** Absent where the index is one file. */
  readonly parts?: readonly StoredFile[]
}

/** Description of a release; written once, never changed. */
export interface Manifest {
  /** `YYYYMMDDTHHMMSSZ-` and the first 8 hex digits of the SHA-256 of `manifest.json`; also the folder's name. */
  readonly id: string
  /** ISO 8601, UTC; the id's own time. */
  readonly createdAt: string
  readonly site: {
    readonly title: string
    readonly tagline: string
    readonly lang: string
    /** BCP 47 tags of further locales by the path their pages are below (`/ja/`); absent where there is none. */
    readonly locales?: Readonly<Record<string, string>>
  }
  /** Revision it was built from; absent where the site has no history. */
  readonly source?: ReleaseSource
  /** In the site's order, each name once: a reader gets the first one that admits them. */
  readonly editions: readonly Edition[]
}

/** The commit a site was built from, for operators to tell releases apart. */
export interface ReleaseSource {
  /** Full id, lower-case hex. */
  readonly commit: string
  readonly author: string
  /** First line of the message. */
  readonly subject: string
}

/** A manifest before it has an id: everything that `manifest.json` holds. */
export type ManifestContent = Omit<Manifest, 'id' | 'createdAt'>

/** The edition of a site that does not tell its readers apart. */
export const DEFAULT_EDITION = 'default'

/** The name of an edition as its readers see it: its label, else those of its audiences, else its own name. */
export function editionLabel({
  name,
  audiences,
  labels,
}: Pick<Edition, 'name' | 'audiences' | 'labels'>): string {
  const isLabelled = audiences.some((audience) => labels?.has(audience))
  return (
    labels?.get(name) ?? (isLabelled ? audiences.map((one) => labels?.get(one) ?? one).join(' / ') : name)
  )
}

/** Folder of a release in which bytes are stored under their SHA-256. */
export const BLOBS = 'files'

/** Every stored representation of a file, plain and compressed: its place and the bytes it must hold. */
export function storedFiles(file: ReleaseFile): StoredFile[] {
  const encoded = encodedFiles(file).map(({ name, sha256, bytes }) => ({ name, sha256, bytes }))
  return [{ name: `${BLOBS}/${file.sha256}`, sha256: file.sha256, bytes: file.bytes }, ...encoded]
}

/** The compressed representations of a file. */
export function encodedFiles(file: ReleaseFile): (StoredFile & { readonly encoding: Encoding })[] {
  return Object.entries(file.encodings).map(([name, stored]) => {
    const encoding = name as Encoding // the type's own keys
    return { ...stored, encoding, name: `${BLOBS}/${file.sha256}${ENCODING_SUFFIXES[encoding]}` }
  })
}

/** The files of the search indexes of an edition, those of its main locale first. */
export function searchIndexes({ search, localeSearches }: Edition): readonly StoredFile[] {
  const indexes = [...(search === null ? [] : [search]), ...(localeSearches?.values() ?? [])]
  return indexes.flatMap((index) => [index, ...(index.parts ?? [])])
}

/** Everything a release stores, each place once, however many paths and editions lead to it. */
export function* allStoredFiles({ editions }: Pick<Manifest, 'editions'>): Generator<StoredFile> {
  const seen = new Set<string>()
  for (const edition of editions) {
    for (const one of [...[...edition.files.values()].flatMap(storedFiles), ...searchIndexes(edition)]) {
      if (seen.has(one.name)) continue
      seen.add(one.name)
      yield one
    }
  }
}
