import { join } from 'node:path'
import type { Edition, Manifest } from '@sekisho/release'
import {
  type BlobReader,
  type BlobReaderOptions,
  type CurrentReleaseOptions,
  createBlobReader,
  DamagedFileError,
  type Found,
  followCurrent,
  type ReleaseStatus,
} from '@sekisho/release'
import type { GateRequest } from '@sekisho/wire'
import { problem } from '../frame/problem.ts'
import { answerFile, answerNotFoundPage, type Served } from './file-response.ts'
import { redirectTo } from './redirect.ts'

/** An edition of the release being served. */
export interface ServedEdition {
  readonly releaseId: string
  readonly site: Manifest['site']
  readonly edition: Edition
  /** The search index of the pages below a path, that of the main locale unless a further one has its own; null when there is none. */
  search(baseUrl: string): { readonly file: string; readonly sha256: string } | null
}

/** The published releases, seen from the gate. Nothing here knows of sessions: call it after the check. */
export interface Releases {
  /** What readers are served now, or null when there is nothing. */
  current(): Promise<ServedEdition | null>
  /** All of the release that is served. */
  manifest(): Promise<Manifest | null> | Manifest | null
  /** Looks at once at what is to be served. */
  refresh(known?: Manifest): Promise<void>
  status(): ReleaseStatus
  /**
   * The language tag of the further locale that a path is below, whether or not anything is there; null elsewhere. Asked for
   * strangers, so it looks at no file.
   */
  localeOf(path: string): string | null
  /** Answers a signed-in reader's request for a decoded canonical path; at once when the bytes are at hand. */
  respond(request: GateRequest, path: string): Served | Promise<Served>
}

/** Releases that nobody publishes to from here. */
export type FollowedReleases = Omit<Releases, 'manifest' | 'refresh' | 'localeOf'>

export interface ReleasesOptions extends Partial<CurrentReleaseOptions>, BlobReaderOptions {
  readonly releasesDir: string
  /** Why what is published elsewhere is not here, where releases are copied from. */
  readonly refusedElsewhere?: () => string | null
}

const BARE = { kind: 'bare' } as const

/** Opens the releases below a folder and follows the pointer from then on. */
export async function openReleases(options: ReleasesOptions): Promise<Releases> {
  const { releasesDir, onProblem = () => {} } = options
  const elapsed = options.elapsed ?? (() => performance.now())
  const current = await followCurrent({ ...options, elapsed, onProblem })
  const reader = createBlobReader(options)
  const said = new Set<string>()
  const folders = new Map<string, string>()
  const folderOf = (id: string) => folders.get(id) ?? remember(id)

  function remember(id: string): string {
    const folder = join(releasesDir, id, 'files')
    folders.set(id, folder)
    return folder
  }

  function answer(request: GateRequest, path: string, id: string, edition: Edition) {
    const file = path === edition.notFound ? undefined : edition.files.get(path)
    if (file !== undefined) return answerFile(request, path, file, folderOf(id), reader)
    return answerOther(request, path, id, edition)
  }

  /** No path is both a file and a redirect: the reader of the manifest refuses that. */
  async function answerOther(
    request: GateRequest,
    path: string,
    id: string,
    edition: Edition,
  ): Promise<Served> {
    const target = edition.redirects.get(path)
    if (target !== undefined) return { response: redirectTo(target, request), csp: BARE }
    const earlier = await current.findEarlier(edition.name, path)
    const old = earlier === null ? null : await answerEarlier(request, path, earlier, reader)
    if (old !== null) return old
    return answerNotFoundPage(request, path, edition, folderOf(id), reader)
  }

  /** An earlier release may be pruned at any moment: then its files do not exist. */
  async function answerEarlier(request: GateRequest, path: string, found: Found, blobs: BlobReader) {
    try {
      const served = await answerFile(request, path, found.file, folderOf(found.releaseId), blobs)
      return { ...served, release: found.releaseId }
    } catch (error) {
      if (error instanceof DamagedFileError) return null
      throw error
    }
  }

  function respondFrom(request: GateRequest, path: string, manifest: Manifest | null) {
    const edition = manifest === null ? null : chooseEdition(manifest)
    if (manifest === null || edition === null) return { response: problem('unavailable'), csp: BARE }
    const { id } = manifest
    const named = (served: Served): Served =>
      served.release === undefined ? { ...served, release: id } : served
    const served = answer(request, path, id, edition)
    return served instanceof Promise ? served.then(named).catch(answerDamaged) : named(served)
  }

  function answerDamaged(error: unknown): Served {
    if (!(error instanceof DamagedFileError)) throw error
    if (!said.has(error.message)) onProblem(error.message)
    said.add(error.message)
    return { response: problem('unavailable'), csp: BARE }
  }

  return {
    manifest: () => current.manifest(),
    refresh: (known) => current.refresh(known),
    status() {
      const status = current.status()
      if (status.state !== 'ready' || status.refused !== null) return status
      return { ...status, refused: options.refusedElsewhere?.() ?? null }
    },
    localeOf(path) {
      const locales = Object.entries(current.served()?.site.locales ?? {})
      return locales.find(([base]) => `${path}/`.startsWith(base))?.[1] ?? null
    },
    async current() {
      const manifest = await current.manifest()
      const edition = manifest === null ? null : chooseEdition(manifest)
      if (manifest === null || edition === null) return null
      return {
        releaseId: manifest.id,
        site: manifest.site,
        edition,
        search(baseUrl) {
          const search = edition.localeSearches?.get(baseUrl) ?? edition.search
          return search === null
            ? null
            : { file: join(releasesDir, manifest.id, search.name), sha256: search.sha256 }
        },
      }
    },
    respond(request, path) {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return { response: problem('method_not_allowed', { headers: { Allow: 'GET, HEAD' } }), csp: BARE }
      }
      const manifest = current.manifest()
      return manifest instanceof Promise
        ? manifest.then((loaded) => respondFrom(request, path, loaded))
        : respondFrom(request, path, manifest)
    },
  }
}

/** Readers belong to no groups here: they get the first edition that asks for none, and nothing when there is none. */
function chooseEdition({ editions }: Manifest): Edition | null {
  return editions.find(({ audiences }) => audiences.length === 0) ?? null
}
