import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { parseJson, ShapeReader } from '@sekisho/contract/json-shape'
import { MARKDOWN_TYPE } from '@sekisho/contract/page-markdown'
import { readPageMetadata } from '@sekisho/contract/page-metadata'
import { BASE_URL } from '@sekisho/contract/site-json'
import { ReleaseError } from './errors.ts'
import {
  BLOBS,
  type Edition,
  type Encoding,
  type Manifest,
  type ManifestContent,
  type ReleaseFile,
  type ReleaseSource,
  type SearchIndex,
  type StoredBytes,
} from './manifest.ts'
import { createManifestCutter, type Table } from './manifest-cutter.ts'
import { readReleaseId } from './release-id.ts'
import { findPathProblem, splitTarget } from './request-path.ts'
import { problemOf } from './texts/index.ts'

const SHA256 = /^[0-9a-f]{64}$/
const CSP_HASH = /^'sha256-[A-Za-z0-9+/]{43}='$/
/** Printable ASCII only: the value goes into a header as it is. */
const CONTENT_TYPE = /^[a-z]{1,20}\/[a-z0-9.+-]{1,100}(?:; charset=utf-8)?$/
const FILE_KEYS = [
  'sha256',
  'bytes',
  'type',
  'delivery',
  'cache',
  'encodings',
  'title',
  'markdown',
  'page',
  'scriptHashes',
  'partOf',
]
const STORED_KEYS = ['sha256', 'bytes']
const SEARCH_KEYS = [...STORED_KEYS, 'parts']
const ENCODING_KEYS = ['br', 'zstd', 'gzip'] as const
const EDITION_KEYS = [
  'name',
  'audiences',
  'labels',
  'files',
  'redirects',
  'notFound',
  'search',
  'localeSearches',
]
const MANIFEST_KEYS = ['format', 'site', 'source', 'editions']
const SOURCE_KEYS = ['commit', 'author', 'subject']
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/
/** Names of editions and audiences: they stand in settings, in logs and on the command line. */
const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/
const LABEL = /^\P{C}{1,40}$/u

/** The bytes of `manifest.json`: the same content always gives the same bytes. */
export function writeManifest(content: ManifestContent): Uint8Array {
  const before: Pick<Edition, 'name' | 'files'>[] = []
  const describeFile = (path: string, file: ReleaseFile): ReleaseFile | string =>
    before.find(({ files }) => isDeepStrictEqual(files.get(path), file))?.name ?? file
  const describeFiles = (edition: Pick<Edition, 'name' | 'files'>) => {
    const described = sorted(edition.files).map(([path, file]) => [path, describeFile(path, file)])
    before.push(edition)
    return Object.fromEntries(described)
  }
  const json = {
    format: 2,
    site: content.site,
    source: content.source,
    editions: content.editions.map(
      ({ name, audiences, labels, notFound, search, localeSearches, redirects, files }) => ({
        name,
        audiences,
        ...(labels !== undefined && { labels: Object.fromEntries(sorted(labels)) }),
        notFound,
        search: search === null ? null : describeSearch(search),
        ...(localeSearches !== undefined && {
          localeSearches: Object.fromEntries(
            sorted(localeSearches).map(([base, index]) => [base, describeSearch(index)]),
          ),
        }),
        redirects: Object.fromEntries(sorted(redirects)),
        files: describeFiles({ name, files }),
      }),
    ),
  }
  // ASCII only: one Japanese title would make V8 hold the text of the whole manifest at two bytes a character.
  return Buffer.from(`${JSON.stringify(json).replace(/[\u0080-\uffff]/g, escapeUnit)}\n`)
}

/** Bytes that are read at once, about a millisecond of work. */
export const PIECE_BYTES = 64 * 1024
/** Entries whose references are checked at once, for the same reason. */
const CHECKED_ENTRIES = 2_000

/** Reads bytes in memory at once; see {@link createManifestReading}. */
export function readManifest(bytes: Uint8Array, id: string): Manifest {
  const reading = createManifestReading(id)
  for (const piece of piecesOf(bytes)) reading.read(piece)
  const steps = reading.end()
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/** Reads bytes, or pieces of them, with other work between them; see {@link createManifestReading}. */
export async function readManifestInTurns(
  source: Uint8Array | AsyncIterable<Uint8Array>,
  id: string,
  earlier: Manifest | null = null,
): Promise<Manifest> {
  const reading = createManifestReading(id, earlier)
  for await (const piece of source instanceof Uint8Array ? piecesOf(source) : source) {
    reading.read(piece)
    await setImmediate() // readers' requests
  }
  const steps = reading.end()
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    await setImmediate()
  }
}

/** Pieces of bytes, without copying them. */
function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

/**
 * Reads the untrusted `manifest.json` of the folder `id` piece by piece: its hash must be in the id, every field is checked. `end` yields
 * where other work may interrupt it, and throws {@link ReleaseError}.
 * @param earlier another release in memory: equal files are held once
 */
function createManifestReading(id: string, earlier: Manifest | null = null) {
  const { createdAt, digest } = readReleaseId(id)
  const shape = new ShapeReader()
  const hash = createHash('sha256')
  const editions = new Map<string, Edition>()
  const texts: SharedTexts = new Map()
  let files = new Map<string, ReleaseFile>()
  let redirects = new Map<string, string>()
  const parse = (json: string) => parseJson(json, 'manifest.json', shape)
  const cutter = createManifestCutter({
    onEntries(table, json) {
      const like = earlier?.editions[editions.size]?.files
      if (table === 'redirects') readRedirects(parse(json), redirects, shape)
      else readFiles(parse(json), { files, before: editions, like, texts }, shape)
    },
    onEdition(json) {
      const entry = shape.object(parse(json), 'editions', EDITION_KEYS)
      const tables: readonly Table[] = ['files', 'redirects']
      for (const table of tables) // its contents were cut out, unless it is there twice or its key was written in another way
        if (Object.keys(shape.record(entry[table], table)).length > 0)
          shape.report(table, problemOf('edition_twice'))
      const edition = readEdition(entry, { files, redirects }, shape)
      editions.set(edition.name, edition)
      files = new Map()
      redirects = new Map()
    },
  })
  return {
    read(piece: Uint8Array): void {
      hash.update(piece)
      if (!shape.isFull) cutter.read(piece)
    },
    *end(): Generator<void, Manifest> {
      if (!hash.digest('hex').startsWith(digest))
        throw new ReleaseError('manifest_mismatch', [problemOf('other_manifest', id)])
      const { json, problem } = cutter.end()
      if (problem !== null) throw new ReleaseError('manifest_invalid', [problem])
      for (const edition of editions.values()) yield* checkReferences(edition, shape)
      const root = shape.object(shape.record(parse(json), 'manifest.json'), 'manifest.json', MANIFEST_KEYS)
      if (root.format !== 2) shape.report('format', problemOf('old_format'))
      const listed = shape.array(root.editions, 'editions')
      for (const item of listed) shape.object(item, 'editions', []) // its contents were cut out
      if (listed.length !== editions.size) shape.report('editions', problemOf('edition_twice'))
      if (editions.size === 0) shape.report('editions', problemOf('no_editions'))
      const source = root.source === undefined ? {} : { source: readSource(root.source, shape) }
      const site = readSite(root.site, shape)
      if (shape.problems.length > 0) throw new ReleaseError('manifest_invalid', shape.problems)
      return { id, createdAt, site, ...source, editions: [...editions.values()] }
    },
  }
}

function readSource(value: unknown, shape: ShapeReader): ReleaseSource {
  const source = shape.object(value, 'source', SOURCE_KEYS)
  return {
    commit: shape.matching(source.commit, 'source.commit', COMMIT, problemOf('commit_id')),
    author: shape.text(source.author, 'source.author'),
    subject: shape.text(source.subject, 'source.subject'),
  }
}

function readEdition(
  entry: Record<string, unknown>,
  tables: Pick<Edition, Table>,
  shape: ShapeReader,
): Edition {
  const name = (value: unknown, where: string) =>
    shape.matching(value, where, NAME, problemOf('edition_name'))
  return {
    name: name(entry.name, 'name'),
    audiences: shape.array(entry.audiences, 'audiences').map((item) => name(item, 'audiences')),
    ...(entry.labels === undefined ? {} : { labels: readLabels(entry.labels, shape) }),
    ...readContents(entry, tables, shape),
    ...(entry.localeSearches === undefined
      ? {}
      : { localeSearches: readLocaleSearches(entry.localeSearches, shape) }),
  }
}

function readLabels(value: unknown, shape: ShapeReader): ReadonlyMap<string, string> {
  const labels = Object.entries(shape.record(value, 'labels'))
  return new Map(
    labels.map(([name, label]) => [name, shape.matching(label, 'labels', LABEL, problemOf('edition_label'))]),
  )
}

const nameInBlobs = ({ sha256 }: StoredBytes): string => `${BLOBS}/${sha256}`

const describeStored = ({ sha256, bytes }: StoredBytes): StoredBytes => ({ sha256, bytes })

const describeSearch = ({ parts, ...index }: SearchIndex) => ({
  ...describeStored(index),
  ...(parts !== undefined && { parts: parts.map(describeStored) }),
})

function readSearch(value: unknown, where: string, shape: ShapeReader): SearchIndex {
  const entry = shape.object(value, where, SEARCH_KEYS)
  const named = (stored: StoredBytes) => ({ ...stored, name: nameInBlobs(stored) })
  const parts = entry.parts === undefined ? undefined : shape.array(entry.parts, where)
  return {
    ...named(readStored(entry, where, shape)),
    ...(parts !== undefined && {
      parts: parts.map((item) => named(readStored(shape.object(item, where, STORED_KEYS), where, shape))),
    }),
  }
}

function readLocaleSearches(value: unknown, shape: ShapeReader): Map<string, SearchIndex> {
  const table = Object.entries(shape.record(value, 'localeSearches'))
  return new Map(
    table.map(([base, item]) => {
      shape.matching(base, 'localeSearches', BASE_URL, problemOf('base_url'))
      return [base, readSearch(item, 'localeSearches', shape)]
    }),
  )
}

function readContents(
  entry: Record<string, unknown>,
  tables: Pick<Edition, Table>,
  shape: ShapeReader,
): Pick<Edition, 'files' | 'redirects' | 'notFound' | 'search'> {
  const notFound = shape.text(entry.notFound, 'notFound')
  if (tables.files.get(notFound)?.delivery !== 'page') shape.report('notFound', problemOf('not_found_page'))
  return {
    ...tables,
    notFound,
    search: entry.search === null ? null : readSearch(entry.search, 'search', shape),
  }
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function sorted<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

function readSite(value: unknown, shape: ShapeReader): Manifest['site'] {
  const site = shape.object(value, 'site', ['title', 'tagline', 'lang', 'locales'])
  return {
    title: shape.text(site.title, 'site.title'),
    tagline: shape.text(site.tagline, 'site.tagline'),
    lang: readLanguage(site.lang, 'site.lang', shape),
    ...(site.locales === undefined ? {} : { locales: readLocales(site.locales, shape) }),
  }
}

function readLocales(value: unknown, shape: ShapeReader): Record<string, string> {
  const table = Object.entries(shape.record(value, 'site.locales'))
  return Object.fromEntries(
    table.map(([base, lang]) => [
      shape.matching(base, 'site.locales', BASE_URL, problemOf('base_url')),
      readLanguage(lang, 'site.locales', shape),
    ]),
  )
}

const readLanguage = (value: unknown, where: string, shape: ShapeReader): string =>
  shape.matching(value, where, /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, problemOf('language_tag'))

/** Lists of texts that many files have, each held once. */
type SharedTexts = Map<string, readonly string[]>

interface FilesSoFar {
  readonly files: Map<string, ReleaseFile>
  readonly before: ReadonlyMap<string, Edition>
  readonly like: Edition['files'] | undefined
  readonly texts: SharedTexts
}

/** Adds files of an edition. One that an earlier edition has at the same path stands there as that edition's name, and is held once. */
function readFiles(value: unknown, { files, before, like, texts }: FilesSoFar, shape: ShapeReader): void {
  for (const [path, entry] of Object.entries(shape.record(value, 'files'))) {
    if (shape.isFull) break
    shape.entry = path
    const problem = findPathProblem(path)
    if (problem !== null) shape.report('files', problem)
    const known = typeof entry === 'string' ? before.get(entry)?.files.get(path) : undefined
    if (typeof entry === 'string' && known === undefined) shape.report('files', problemOf('no_such_edition'))
    const file = known ?? readFile(entry, shape, texts)
    const same = like?.get(path)
    files.set(path, same !== undefined && isDeepStrictEqual(same, file) ? same : file)
  }
  shape.entry = null
}

function* checkReferences({ files, redirects }: Edition, shape: ShapeReader): Generator<void> {
  let checked = 0
  for (const [path, { markdown, page }] of files) {
    shape.entry = path
    if (page?.replacedBy !== undefined && files.get(page.replacedBy)?.delivery !== 'page')
      shape.report('replacedBy of', problemOf('no_page'))
    if (markdown !== undefined && files.get(markdown)?.type !== `${MARKDOWN_TYPE}; charset=utf-8`)
      shape.report('markdown of', problemOf('no_markdown'))
    checked += 1
    if (checked % CHECKED_ENTRIES === 0) yield
  }
  for (const [from, to] of redirects) {
    shape.entry = from
    if (files.has(from)) shape.report('redirects', problemOf('also_a_file'))
    if (!files.has(splitTarget(to).path)) shape.report('redirects', problemOf('leads_nowhere'))
    checked += 1
    if (checked % CHECKED_ENTRIES === 0) yield
  }
  shape.entry = null
}

function readFile(value: unknown, shape: ShapeReader, texts: SharedTexts): ReleaseFile {
  const entry = shape.object(value, 'file', FILE_KEYS)
  const [type = ''] = share(
    [shape.matching(entry.type, 'type of', CONTENT_TYPE, problemOf('content_type'))],
    texts,
  )
  return {
    ...readStored(entry, 'file', shape),
    type,
    delivery: shape.oneOf(entry.delivery, 'delivery of', ['download', 'page', 'isolated', 'resource']),
    cache: shape.oneOf(entry.cache, 'cache of', ['no-store', 'immutable']),
    encodings: readEncodings(entry.encodings, shape),
    ...(entry.title === undefined ? {} : { title: shape.text(entry.title, 'title of') }),
    ...(entry.markdown === undefined ? {} : { markdown: shape.text(entry.markdown, 'markdown of') }),
    ...(entry.page === undefined ? {} : { page: readPageMetadata(entry.page, 'page', shape) }),
    ...(entry.scriptHashes === undefined
      ? {}
      : { scriptHashes: share(readHashes(entry.scriptHashes, shape), texts) }),
    ...(entry.partOf === undefined ? {} : { partOf: readPages(entry.partOf, shape) }),
  }
}

function readStored(entry: Record<string, unknown>, where: string, shape: ShapeReader): StoredBytes {
  return {
    sha256: shape.matching(entry.sha256, where, SHA256, problemOf('sha256')),
    bytes: shape.count(entry.bytes, where),
  }
}

function readEncodings(value: unknown, shape: ShapeReader): ReleaseFile['encodings'] {
  const encodings: Partial<Record<Encoding, StoredBytes>> = {}
  const table = shape.object(value, 'encodings of', ENCODING_KEYS)
  for (const encoding of ENCODING_KEYS) {
    if (table[encoding] === undefined) continue
    const stored = shape.object(table[encoding], 'encodings of', STORED_KEYS)
    encodings[encoding] = readStored(stored, 'encodings of', shape)
  }
  return encodings
}

function readPages(value: unknown, shape: ShapeReader): readonly string[] {
  return shape.array(value, 'partOf of').map((item) => shape.text(item, 'partOf of'))
}

function readHashes(value: unknown, shape: ShapeReader): readonly string[] {
  return shape
    .array(value, 'hashes of')
    .map((item) => shape.matching(item, 'hashes of', CSP_HASH, problemOf('csp_hash')))
}

function share(list: readonly string[], texts: SharedTexts): readonly string[] {
  const key = list.join(' ')
  const known = texts.get(key)
  if (known === undefined) texts.set(key, list)
  return known ?? list
}

/** Adds redirects of an edition. */
function readRedirects(value: unknown, redirects: Map<string, string>, shape: ShapeReader): void {
  for (const [from, target] of Object.entries(shape.record(value, 'redirects'))) {
    if (shape.isFull) break
    shape.entry = from
    const problem = findPathProblem(from)
    if (problem !== null) shape.report('redirects', problem)
    redirects.set(from, shape.text(target, 'redirects'))
  }
  shape.entry = null
}
