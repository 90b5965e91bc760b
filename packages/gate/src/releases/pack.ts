import { hash, randomBytes } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { canonicalPath, encodePath } from '../http/canonical-path.ts'
import { createBlobWriter } from './blob-writer.ts'
import { listBuild } from './build-files.ts'
import { type CompressionCache, openCompressionCache } from './compression-cache.ts'
import { copyDurably, isErrno, writeDurably } from './durable-files.ts'
import { ReleaseError } from './errors.ts'
import type { ManifestContent, ReleaseFile, StoredBytes } from './manifest.ts'
import { writeManifest } from './manifest-json.ts'
import { createReleaseId } from './release-id.ts'
import {
  adoptRelease,
  createTemporary,
  isIntact,
  listReleaseIds,
  loadManifest,
  movePointer,
  pruneReleases,
  releasesDirOf,
} from './release-store.ts'
import { planRoutes, type Route, type RoutePlan } from './routes.ts'
import { readSite, SIDECAR, type SiteDescription } from './site-json.ts'

/** Releases kept on disk unless told otherwise, the one being served included. */
export const DEFAULT_KEEP = 5

export interface PackOptions {
  /** The site's build, with the folder `__sekisho` that `@sekisho/docusaurus` wrote. */
  readonly buildDir: string
  readonly dataDir: string
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  readonly keep?: number
  /** Told after each stored file. */
  readonly onProgress?: (done: number, total: number) => void
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
  /** Build files that never enter a release. */
  readonly leftOut: readonly string[]
}

/**
 * Makes a release of a build and publishes it: whole folder first, then the pointer. Throws {@link ReleaseError}
 * with every problem of the build; then nothing has changed.
 */
export async function packRelease(options: PackOptions): Promise<PackReport> {
  const releasesDir = releasesDirOf(options.dataDir)
  const site = await readSite(options.buildDir)
  const listing = await listBuild(options.buildDir)
  const plan = planRoutes(site, listing.files)
  const problems = [...listing.problems, ...plan.problems, ...plan.routes.flatMap(unservable)]
  if (problems.length > 0) throw new ReleaseError('build_invalid', problems)

  await mkdir(releasesDir, { recursive: true })
  const cache = openCompressionCache(join(options.dataDir, 'cache', 'compressed'))
  const temporary = await createTemporary(releasesDir, randomBytes(6).toString('hex'))
  try {
    const content = await fill(temporary, { site, plan, cache, releasesDir, options })
    const published = await publish(releasesDir, temporary, content, options.clock())
    await pruneReleases(releasesDir, options.keep ?? DEFAULT_KEEP, options.clock())
    await cache.prune(await storedHashes(releasesDir))
    return { ...published, ...measure(content), compressed: cache.made(), leftOut: listing.leftOut }
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** The gate's own reading of paths has the last word: what it would refuse must not be in a release. */
function unservable({ path, name }: Route): string[] {
  const isServable = canonicalPath(`http://release.invalid${encodePath(path)}`) === path
  return isServable ? [] : [`${JSON.stringify(name)} has no single spelling as a URL; rename it`]
}

interface Filling {
  readonly site: SiteDescription
  readonly plan: RoutePlan
  readonly cache: CompressionCache
  readonly releasesDir: string
  readonly options: PackOptions
}

async function fill(
  temporary: string,
  { site, plan, cache, releasesDir, options }: Filling,
): Promise<ManifestContent> {
  const newest = (await listReleaseIds(releasesDir))[0]
  const writer = createBlobWriter({
    folder: join(temporary, 'files'),
    cache,
    previous: newest === undefined ? null : join(releasesDir, newest, 'files'),
  })
  const files = new Map<string, ReleaseFile>()
  const store = async (route: Route) => {
    files.set(route.path, await writer.store(route))
    options.onProgress?.(files.size, plan.routes.length)
  }
  const isPage = ({ kind }: Route) => kind.delivery === 'page'
  await inParallel(plan.routes.filter(isPage), store)
  await inParallel(
    plan.routes.filter((route) => !isPage(route)),
    store,
  )
  return {
    format: 1,
    site: site.site,
    files,
    redirects: plan.redirects,
    notFound: plan.notFound,
    search: await copySearch(options.buildDir, temporary),
  }
}

/** Runs the work a few at a time; after a failure the rest is left, and all are waited for before it is thrown. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  const workers = Array.from({ length: availableParallelism() * 2 }, async () => {
    for (const item of queue) await work(item)
  })
  const outcomes = await Promise.allSettled(workers.map((worker) => worker.finally(() => queue.return?.())))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

async function copySearch(buildDir: string, temporary: string): Promise<StoredBytes | null> {
  try {
    return await copyDurably(join(buildDir, SIDECAR, 'search.db'), join(temporary, 'search.db'))
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  }
}

async function publish(
  releasesDir: string,
  temporary: string,
  content: ManifestContent,
  nowMs: number,
): Promise<{ id: string; reused: boolean }> {
  const bytes = writeManifest(content)
  const same = await findSame(releasesDir, bytes)
  const id = same ?? createReleaseId(nowMs, hash('sha256', bytes))
  if (same === null) {
    await writeDurably(join(temporary, 'manifest.json'), bytes)
    await adoptRelease(releasesDir, temporary, id)
  }
  await movePointer(releasesDir, id)
  return { id, reused: same !== null }
}

/** A kept release with exactly this manifest whose files are all undamaged; a damaged one is made anew. */
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
    for (const { sha256 } of manifest?.files.values() ?? []) hashes.add(sha256)
  }
  return hashes
}

function measure(content: ManifestContent): Pick<PackReport, 'files' | 'pages' | 'bytes'> {
  const files = [...content.files.values()]
  return {
    files: files.length,
    pages: files.filter(({ delivery }) => delivery === 'page').length,
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
  }
}
