import { hash, randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { canonicalPath, encodePath } from '@sekisho/contract/canonical-path'
import { SIDECAR } from '@sekisho/contract/site-json'
import { copyDurably, holds, isErrno, syncFiles, writeDurably } from '../durable-files.ts'
import { ReleaseError } from '../errors.ts'
import {
  BLOBS,
  DEFAULT_EDITION,
  ENCODING_SUFFIXES,
  type Encoding,
  type ManifestContent,
  type ReleaseFile,
  type ReleaseSource,
  type StoredBytes,
  type StoredFile,
  storedFiles,
} from '../manifest.ts'
import { writeManifest } from '../manifest-json.ts'
import { createReleaseId } from '../release-id.ts'
import {
  adoptRelease,
  createTemporary,
  isIntact,
  listReleaseIds,
  loadManifest,
  movePointer,
  releasesDirOf,
  removeLeftovers,
} from '../release-store.ts'
import { openFolderStore } from '../stores/folder-store.ts'
import { DEFAULT_RETENTION, pruneStore, type Retention } from '../stores/retention.ts'
import type { StoredRoute } from './blob-writer.ts'
import { listBuild } from './build-files.ts'
import { pruneCompressionCache } from './compression-cache.ts'
import { planRoutes, type Route, type RoutePlan } from './plan-routes.ts'
import { type LocalisedSite, readLocalisedSite } from './read-site.ts'
import { findRedirectPages, type SourcedRedirect } from './redirect-pages.ts'
import type { Refusal } from './refusals.ts'
import { openRouteStore } from './store-routes.ts'

/** A file that so many pages load is worth the time of the hardest compression. */
const SHARED_BY_PAGES = 3
/** Of the pages that load a file, as many are named. */
const MAX_NAMED_PAGES = 8

export interface PackOptions {
  /** The site's build, with the folder `__sekisho` that `@sekisho/docusaurus` wrote. */
  readonly buildDir: string
  readonly dataDir: string
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Awaited when everything is in place and before the release is served; a rejection leaves the one before in its place. */
  readonly beforePublish?: (id: string) => Promise<void>
  /** Which earlier releases stay; {@link DEFAULT_RETENTION} unless told otherwise. */
  readonly retention?: Retention
  /** What the build was made from. */
  readonly source?: ReleaseSource
  /** Told after each stored file. */
  readonly onProgress?: (done: number, total: number) => void
}

/** Something refused, with the paths of the pages and style sheets that ask for it, sorted. */
export interface RefusedOnPages extends Refusal {
  readonly pages: readonly string[]
}

/** What packing made. */
export interface PackReport {
  readonly id: string
  /** True when a kept release already held exactly this content. */
  readonly reused: boolean
  readonly files: number
  readonly pages: number
  /** Plain bytes of all files. */
  readonly bytes: number
  /** Compressed files that were not in the cache. */
  readonly compressed: number
  /** What the gate's content policy keeps from loading or running unless it is granted. */
  readonly refused: readonly RefusedOnPages[]
  /** Redirects that are left out, since they lead to no page or file of the site, or in a circle. */
  readonly lost: readonly SourcedRedirect[]
  /** Build files that never enter a release. */
  readonly leftOut: readonly string[]
}

/**
 * Makes a release of a build and publishes it: whole folder first, then the pointer. Throws {@link ReleaseError}
 * with every problem of the build; then nothing has changed.
 */
export async function packRelease(options: PackOptions): Promise<PackReport> {
  const releasesDir = releasesDirOf(options.dataDir)
  const described = await readLocalisedSite(options.buildDir)
  const listing = await listBuild(options.buildDir)
  const sentOn = await findRedirectPages(described, listing.files)
  const named = new Set(described.redirects.map(({ from }) => from))
  const site = {
    ...described,
    redirects: [...described.redirects, ...sentOn.filter(({ from }) => !named.has(from))],
  }
  const plan = planRoutes(site, listing.files)
  const problems = [...listing.problems, ...plan.problems, ...plan.routes.flatMap(unservable)]
  if (problems.length > 0) throw new ReleaseError('build_invalid', problems)

  await mkdir(releasesDir, { recursive: true })
  const cacheFolder = join(options.dataDir, 'cache', 'compressed')
  const temporary = await createTemporary(releasesDir, randomBytes(6).toString('hex'))
  try {
    const { content, ...told } = await fill(temporary, { site, plan, cacheFolder, releasesDir, options })
    const published = await publish(releasesDir, temporary, content, options)
    await pruneStore(openFolderStore(releasesDir), options.retention ?? DEFAULT_RETENTION, options.clock())
    await removeLeftovers(releasesDir, options.clock())
    await pruneCompressionCache(cacheFolder, await storedHashes(releasesDir))
    return { ...published, ...measure(content), ...told, lost: plan.lost, leftOut: listing.leftOut }
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** The gate's own reading of paths has the last word: what it would refuse must not be in a release. */
function unservable({ path, name }: Route): string[] {
  const isServable = canonicalPath(`http://release.invalid${encodePath(path)}`) === path
  return isServable ? [] : [`${JSON.stringify(name)} has no canonical form as a URL path; rename it`]
}

interface Filling {
  readonly site: LocalisedSite
  readonly plan: RoutePlan
  readonly cacheFolder: string
  readonly releasesDir: string
  readonly options: PackOptions
}

async function fill(
  temporary: string,
  { site, plan, cacheFolder, releasesDir, options }: Filling,
): Promise<Pick<PackReport, 'compressed' | 'refused'> & { readonly content: ManifestContent }> {
  const newest = (await listReleaseIds(releasesDir))[0]
  const folder = join(temporary, BLOBS)
  const previous = newest === undefined ? null : join(releasesDir, newest, BLOBS)
  await using store = openRouteStore(plan.routes.length, { folder, cacheFolder, previous })
  const stored: StoredRoute[] = []
  const loadedBy = new Map<string, string[]>()
  const keep = (route: StoredRoute) => {
    stored.push(route)
    for (const path of route.references) {
      const pages = loadedBy.get(path)
      if (pages === undefined) loadedBy.set(path, [route.path])
      else pages.push(route.path)
    }
    options.onProgress?.(stored.length, plan.routes.length)
  }
  // What pages name is counted, so pages come first: what several of them load is compressed hardest.
  const pages = plan.routes.filter(({ kind }) => kind.delivery === 'page')
  await store.store(
    pages.map((route) => ({ ...route, isShared: false })),
    keep,
  )
  const others = plan.routes.filter(({ kind }) => kind.delivery !== 'page')
  const isShared = ({ path }: Route) => (loadedBy.get(path)?.length ?? 0) >= SHARED_BY_PAGES
  const marked = others.map((route) => ({ ...route, isShared: isShared(route) }))
  // What takes longest goes first, so that no thread is left alone with it.
  await store.store(
    marked.sort((one, other) => Number(other.isShared) - Number(one.isShared)),
    keep,
  )
  const search = await storeSearch(join(options.buildDir, SIDECAR, 'search.db'), folder)
  const localeSearches = new Map<string, StoredFile>()
  for (const [path, inBuild] of site.searches) {
    const stored = await storeSearch(join(options.buildDir, inBuild), folder)
    if (stored !== null) localeSearches.set(path, stored)
  }
  await syncFiles(folder)
  const files = markParts(await settleTwins(folder, stored), loadedBy, pages.length)
  const { redirects, notFound } = plan
  const content: ManifestContent = {
    site: {
      ...{ title: site.title, tagline: site.tagline, lang: site.lang },
      ...(Object.keys(site.locales).length > 0 && { locales: site.locales }),
    },
    ...(options.source === undefined ? {} : { source: options.source }),
    editions: [
      {
        ...{ name: DEFAULT_EDITION, audiences: [], files, redirects, notFound, search },
        ...(localeSearches.size > 0 && { localeSearches }),
      },
    ],
  }
  const compressed = stored.reduce((sum, route) => sum + route.compressed, 0)
  return { content, compressed, refused: groupRefused(stored) }
}

/** What the content policy keeps from pages, each thing once. */
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
 * The files by path. Equal files share what is stored, of which the first one written stays: where one of them was
 * pressed harder than the other, both are described by what is there.
 */
async function settleTwins(
  folder: string,
  stored: readonly StoredRoute[],
): Promise<Map<string, ReleaseFile>> {
  const present = new Map<string, StoredBytes>()
  for (const one of stored.flatMap(({ file }) => storedFiles(file))) {
    const known = present.get(one.name)
    const isOther = known !== undefined && known.sha256 !== one.sha256
    if (known === undefined || (isOther && (await holds(join(folder, basename(one.name)), one)))) {
      present.set(one.name, { sha256: one.sha256, bytes: one.bytes })
    }
  }
  const settle = (file: ReleaseFile): ReleaseFile => {
    const encodings = Object.entries(file.encodings).map(([encoding, bytes]) => [
      encoding,
      present.get(`${BLOBS}/${file.sha256}${ENCODING_SUFFIXES[encoding as Encoding]}`) ?? bytes,
    ])
    return { ...file, encodings: Object.fromEntries(encodings) }
  }
  return new Map(stored.map(({ path, file }) => [path, settle(file)]))
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

async function publish(
  releasesDir: string,
  temporary: string,
  content: ManifestContent,
  { clock, beforePublish }: PackOptions,
): Promise<{ id: string; reused: boolean }> {
  const nowMs = clock()
  const bytes = writeManifest(content)
  const same = await findSame(releasesDir, bytes)
  const id = same ?? createReleaseId(nowMs, hash('sha256', bytes))
  if (same === null) {
    await writeDurably(join(temporary, 'manifest.json'), bytes)
    await adoptRelease(releasesDir, temporary, id)
  }
  await beforePublish?.(id)
  await movePointer(releasesDir, id, nowMs)
  return { id, reused: same !== null }
}

/** A kept release with exactly this manifest whose files are all undamaged; a damaged one is packed again. */
async function findSame(releasesDir: string, bytes: Uint8Array): Promise<string | null> {
  const suffix = `-${hash('sha256', bytes).slice(0, 8)}`
  for (const id of await listReleaseIds(releasesDir)) {
    if (!id.endsWith(suffix)) continue
    const known = await readFile(join(releasesDir, id, 'manifest.json')).catch(() => null)
    if (known?.equals(bytes) && (await isIntact(releasesDir, id))) return id
  }
  return null
}

async function storedHashes(releasesDir: string): Promise<Set<string>> {
  const hashes = new Set<string>()
  for (const id of await listReleaseIds(releasesDir)) {
    const manifest = await loadManifest(releasesDir, id).catch(() => null)
    for (const { files } of manifest?.editions ?? []) {
      for (const { sha256 } of files.values()) hashes.add(sha256)
    }
  }
  return hashes
}

function measure({ editions }: ManifestContent): Pick<PackReport, 'files' | 'pages' | 'bytes'> {
  const files = editions.flatMap((edition) => [...edition.files.values()])
  return {
    files: files.length,
    pages: files.filter(({ delivery }) => delivery === 'page').length,
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
  }
}
