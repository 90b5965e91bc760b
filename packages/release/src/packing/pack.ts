import { hash, randomBytes } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../durable-files.ts'
import { ReleaseError } from '../errors.ts'
import { BLOBS, type ManifestContent, type ReleaseSource } from '../manifest.ts'
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
import { problemOf } from '../texts/index.ts'
import type { SourcedRedirect } from './build/read-site.ts'
import { type Builds, type PlannedEdition, planEditions } from './plan/plan-editions.ts'
import { readServable } from './plan/servable-manifest.ts'
import { markdownKey } from './store/blob-writer.ts'
import { pruneCompressionCache } from './store/compression-cache.ts'
import { type RefusedOnPages, storeEditions } from './store/store-editions.ts'

export type PackOptions = Builds & {
  readonly dataDir: string
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Awaited when everything is in place and before the release is served; a rejection leaves the one before in its place. */
  readonly beforePublish?: (id: string) => Promise<void>
  /** Retention of earlier releases; {@link DEFAULT_RETENTION} by default. */
  readonly retention?: Retention
  /** Revision the build was made from. */
  readonly source?: ReleaseSource
  /** An element for the head of every page that lacks it, which loads a script of the gate's. */
  readonly pageScript?: string
  /** Told after each stored file. */
  readonly onProgress?: (done: number, total: number) => void
}

/** Result of packing. */
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
  /** Resources and scripts that the gate's content policy blocks without a grant. */
  readonly refused: readonly RefusedOnPages[]
  /** Paths of HTML whose names do not say so, which readers can only save. */
  readonly unnamedHtml: readonly string[]
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
  const planned = await planEditions(options)
  await mkdir(releasesDir, { recursive: true })
  const cacheFolder = join(options.dataDir, 'cache', 'compressed')
  const temporary = await createTemporary(releasesDir, randomBytes(6).toString('hex'))
  try {
    const newest = (await listReleaseIds(releasesDir))[0]
    const writing = {
      folder: join(temporary, BLOBS),
      cacheFolder,
      previous: newest === undefined ? null : join(releasesDir, newest, BLOBS),
      pageScript: options.pageScript ?? null,
    }
    const { editions, ...told } = await storeEditions(planned, writing, options.onProgress ?? (() => {}))
    const source = options.source === undefined ? {} : { source: options.source }
    const content = { ...describeSite(planned), ...source, editions }
    const published = await publish(releasesDir, temporary, content, options)
    await pruneStore(openFolderStore(releasesDir), options.retention ?? DEFAULT_RETENTION, options.clock())
    await removeLeftovers(releasesDir, options.clock())
    await pruneCompressionCache(cacheFolder, await storedHashes(releasesDir))
    const lost = planned.flatMap(({ plan }) => plan.lost)
    const leftOut = [...new Set(planned.flatMap((edition) => edition.leftOut))]
    return { ...published, ...measure(content), ...told, lost, leftOut }
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Description shared by all editions, taken from the first. */
function describeSite([first]: readonly PlannedEdition[]): Pick<ManifestContent, 'site'> {
  if (first === undefined) throw new ReleaseError('build_invalid', [problemOf('no_edition')])
  const { title, tagline, lang, locales } = first.site
  return { site: { title, tagline, lang, ...(Object.keys(locales).length > 0 && { locales }) } }
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
  readServable(bytes, id) // the judge of whoever serves it: what it refuses must not be adopted
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
      for (const [path, file] of files) {
        hashes.add(file.sha256)
        if (file.markdown !== undefined) hashes.add(markdownKey(file, path))
      }
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
