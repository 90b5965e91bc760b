import { rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { nestedTooDeep } from '@sekisho/contract/html-depth'
import { SIDECAR } from '@sekisho/contract/site-json'
import { copyDurably, holds, isErrno, syncFiles } from '../../durable-files.ts'
import { ReleaseError } from '../../errors.ts'
import {
  BLOBS,
  type Edition,
  ENCODING_SUFFIXES,
  type Encoding,
  type ReleaseFile,
  type SearchIndex,
  type StoredBytes,
  type StoredFile,
  storedFiles,
} from '../../manifest.ts'
import { problemOf } from '../../texts/index.ts'
import type { Refusal } from '../build/refusals.ts'
import type { PlannedEdition } from '../plan/plan-editions.ts'
import type { Route } from '../plan/plan-routes.ts'
import { attachMetadata } from './attach-metadata.ts'
import type { BlobWriterOptions, RouteToStore, StoredRoute } from './blob-writer.ts'
import { openRouteStore, type RouteStore } from './store-routes.ts'
import { createStoredBefore, type StoredBefore } from './stored-before.ts'

/** A file that so many pages load is worth the time of the hardest compression. */
const SHARED_BY_PAGES = 3
/** Of the pages that load a file, as many are named. */
const MAX_NAMED_PAGES = 8

/** Something refused, with the paths of the pages and style sheets that ask for it, sorted. */
export interface RefusedOnPages extends Refusal {
  readonly pages: readonly string[]
}

/** Stores the files of every edition in one folder, where equal ones are the same, and describes what is there. */
export async function storeEditions(
  planned: readonly PlannedEdition[],
  options: BlobWriterOptions,
  onProgress: (done: number, total: number) => void,
) {
  const filesOf = ({ markdown }: Route) => (markdown === undefined ? 1 : 2)
  const total = planned.flatMap(({ plan }) => plan.routes.map(filesOf)).reduce((sum, count) => sum + count, 0)
  await using store = openRouteStore(total, options)
  const filled: FilledEdition[] = []
  const storing = { store, before: createStoredBefore(), folder: options.folder }
  let done = 0
  for (const edition of planned)
    filled.push(await storeEdition(edition, storing, () => onProgress(++done, total)))
  await syncFiles(options.folder)
  const stored = filled.flatMap((edition) => edition.stored)
  const settle = await settleDuplicates(options.folder, stored)
  return {
    editions: filled.map((edition) => describeEdition(edition, settle)),
    compressed: stored.reduce((sum, route) => sum + route.compressed, 0),
    refused: groupRefused(stored),
    unnamedHtml: stored.filter(({ isUnnamedHtml }) => isUnnamedHtml).map(({ path }) => path),
  }
}

/** An edition whose files are stored. */
interface FilledEdition {
  readonly edition: PlannedEdition
  readonly stored: readonly StoredRoute[]
  /** Paths of pages by the path of what they load. */
  readonly loadedBy: ReadonlyMap<string, readonly string[]>
  readonly search: SearchIndex | null
  readonly localeSearches: ReadonlyMap<string, SearchIndex>
}

/** Destination of editions, and the files that earlier ones stored there. */
interface Storing {
  readonly store: RouteStore
  readonly before: StoredBefore
  readonly folder: string
}

async function storeEdition(
  edition: PlannedEdition,
  { store, before, folder }: Storing,
  onStored: () => void,
): Promise<FilledEdition> {
  const { routes } = edition.plan
  const stored: StoredRoute[] = []
  const loadedBy = new Map<string, string[]>()
  const keep = (route: StoredRoute) => {
    stored.push(route)
    for (const path of route.references) {
      const pages = loadedBy.get(path)
      if (pages === undefined) loadedBy.set(path, [route.path])
      else pages.push(route.path)
    }
    onStored()
  }
  const storeNew = async (wanted: readonly RouteToStore[]) => {
    const from = stored.length
    const missing = wanted.filter((route) => {
      const known = before.find(route)
      for (const one of known ?? []) keep(one)
      return known === null
    })
    await store.store(missing, keep)
    before.note(wanted, stored.slice(from))
  }
  // What pages name is counted, so pages come first: what several of them load is compressed hardest.
  const pages = routes.filter(({ kind }) => kind.delivery === 'page')
  await storeNew(pages.map((route) => ({ ...route, isShared: false })))
  const unreadable = stored
    .flatMap((one) => one.unreadable ?? [])
    .sort((one, other) => (one.file < other.file ? -1 : 1))
    .map(({ file, why }) => (why === 'too_deep' ? nestedTooDeep(file) : problemOf('undecodable', file)))
  if (unreadable.length > 0) throw new ReleaseError('build_invalid', unreadable)
  const others = routes.filter(({ kind }) => kind.delivery !== 'page')
  const isShared = ({ path }: Route) => (loadedBy.get(path)?.length ?? 0) >= SHARED_BY_PAGES
  const marked = others.map((route) => ({ ...route, isShared: isShared(route) }))
  // What takes longest goes first, so that no thread is left alone with it.
  await storeNew(marked.sort((one, other) => Number(other.isShared) - Number(one.isShared)))
  return { edition, stored, loadedBy, ...(await storeSearches(edition, folder)) }
}

function describeEdition(
  { edition, stored, loadedBy, search, localeSearches }: FilledEdition,
  settle: (file: ReleaseFile) => ReleaseFile,
): Edition {
  const { name, audiences, labels, plan } = edition
  const pageCount = plan.routes.filter(({ kind }) => kind.delivery === 'page').length
  const settled = new Map(stored.map(({ path, file }) => [path, settle(file)]))
  const files = attachMetadata(settled, stored, plan.redirects)
  return {
    name,
    audiences,
    ...(labels !== undefined && { labels }),
    files: markParts(files, loadedBy, pageCount),
    redirects: plan.redirects,
    notFound: plan.notFound,
    search,
    ...(localeSearches.size > 0 && { localeSearches }),
  }
}

async function storeSearches({ buildDir, site, dividedIndexes }: PlannedEdition, folder: string) {
  const storeIndex = async (file: string): Promise<SearchIndex | null> => {
    const divided = dividedIndexes?.get(file)
    if (divided === undefined) return await storeSearch(file, folder)
    const parts: StoredFile[] = []
    for (const part of divided.parts) parts.push(await storePart(part, folder))
    return { ...(await storePart(divided.words, folder)), parts }
  }
  const search = await storeIndex(join(buildDir, SIDECAR, 'search.db'))
  const localeSearches = new Map<string, SearchIndex>()
  for (const [path, inBuild] of site.searches) {
    const stored = await storeIndex(join(buildDir, inBuild))
    if (stored !== null) localeSearches.set(path, stored)
  }
  return { search, localeSearches }
}

async function storePart(file: string, folder: string): Promise<StoredFile> {
  const stored = await storeSearch(file, folder)
  if (stored === null) throw new ReleaseError('build_invalid', [`${file}, a part of a search index, is gone`])
  return stored
}

async function storeSearch(file: string, folder: string): Promise<StoredFile | null> {
  const temporary = join(folder, '.search')
  try {
    const stored = await copyDurably(file, temporary)
    await rename(temporary, join(folder, stored.sha256))
    return { ...stored, name: `${BLOBS}/${stored.sha256}` }
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  }
}

/** Blocked resources of pages, each once. */
function groupRefused(stored: readonly StoredRoute[]): readonly RefusedOnPages[] {
  const found = stored.flatMap(({ path, refused }) => refused.map((refusal) => ({ ...refusal, path })))
  return [...Map.groupBy(found, ({ what }) => what)].flatMap(([what, group]) => {
    const [first] = group
    return first === undefined
      ? []
      : [{ what, grant: first.grant, pages: group.map(({ path }) => path).sort() }]
  })
}

/** Says of each file which pages load it (see `ReleaseFile.partOf`). */
function markParts(
  files: ReadonlyMap<string, ReleaseFile>,
  loadedBy: ReadonlyMap<string, readonly string[]>,
  pageCount: number,
): Map<string, ReleaseFile> {
  const mark = (path: string, file: ReleaseFile): ReleaseFile => {
    const pages = loadedBy.get(path)
    if (pages === undefined || file.delivery === 'page') return file
    const isOfMost = pages.length >= SHARED_BY_PAGES && pages.length * 2 >= pageCount
    return { ...file, partOf: isOfMost ? [] : pages.toSorted().slice(0, MAX_NAMED_PAGES) }
  }
  return new Map([...files].map(([path, file]) => [path, mark(path, file)]))
}

/**
 * Equal files share what is stored, of which the first one written stays: where one of them was pressed harder than the
 * other, both are described by what is there.
 */
async function settleDuplicates(folder: string, stored: readonly StoredRoute[]) {
  const present = new Map<string, StoredBytes>()
  for (const one of stored.flatMap(({ file }) => storedFiles(file))) {
    const known = present.get(one.name)
    const isOther = known !== undefined && known.sha256 !== one.sha256
    if (known === undefined || (isOther && (await holds(join(folder, basename(one.name)), one)))) {
      present.set(one.name, { sha256: one.sha256, bytes: one.bytes })
    }
  }
  return (file: ReleaseFile): ReleaseFile => {
    const encodings = Object.entries(file.encodings).map(([encoding, bytes]) => [
      encoding,
      present.get(`${BLOBS}/${file.sha256}${ENCODING_SUFFIXES[encoding as Encoding]}`) ?? bytes,
    ])
    return { ...file, encodings: Object.fromEntries(encodings) }
  }
}
