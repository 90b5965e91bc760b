import { join } from 'node:path'
import { encodePath } from '@sekisho/contract/canonical-path'
import {
  type BlobReader,
  type BlobReaderOptions,
  type CurrentReleaseOptions,
  createBlobReader,
  DamagedFileError,
  DEFAULT_EDITION,
  type Edition,
  type Found,
  followCurrent,
  type Manifest,
  type ReleaseStatus,
  splitTarget,
} from '@sekisho/release'
import type { Session } from '@sekisho/state/sessions'
import { BytesResponse, type GateRequest, type GateResponse } from '@sekisho/wire'
import { problem } from '../frame/problem.ts'
import { answerFile, answerNotFoundPage, type Served } from './file-response.ts'

/** An edition of the release being served. */
export interface ServedEdition {
  readonly releaseId: string
  /** What tabs are told of what they show: another release, or another edition, is news. */
  readonly servedAs: string
  readonly site: Manifest['site']
  readonly edition: Edition
  /** The search index of the pages below a path, that of the main locale unless a further one has its own; null when there is none. */
  search(baseUrl: string): { readonly file: string; readonly sha256: string } | null
}

/** The published releases, seen from the gate. Nothing here knows of sessions: call it after the check. */
export interface Releases {
  /** What this reader is served now, or null when there is nothing. */
  current(session: Session): Promise<ServedEdition | null>
  /** Every edition of the release that is served. */
  editions(): Promise<readonly ServedEdition[]>
  /** All of the release that is served. */
  manifest(): Promise<Manifest | null>
  /** Looks at once at what is to be served. */
  refresh(known?: Manifest): Promise<void>
  status(): ReleaseStatus
  /**
   * The language tag of the further locale that a path is below, whether or not anything is there; null elsewhere. Asked for
   * strangers, so it looks at no file.
   */
  localeOf(path: string): string | null
  /** Answers a signed-in reader's request for a decoded canonical path. */
  respond(request: GateRequest, path: string, session: Session): Promise<Served>
}

/** Which of a release's editions a reader gets; null where it holds none for them. Asked for each request. */
export type ChooseEdition = (editions: readonly Edition[], session: Session) => Edition | null

/** What readers of a release meet. */
export type ReadReleases = Pick<Releases, 'current' | 'respond'>

export interface ReleasesOptions extends Partial<CurrentReleaseOptions>, BlobReaderOptions {
  readonly releasesDir: string
  readonly choose: ChooseEdition
  /** Why what is published elsewhere is not here, where releases are copied from. */
  readonly refusedElsewhere?: () => string | null
}

const BARE = { kind: 'bare' } as const

/** The release alone, for a site that does not tell its readers apart. */
const servedAs = (id: string, { name }: Edition): string => (name === DEFAULT_EDITION ? id : `${id}-${name}`)

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

  /** No path is both a file and a redirect: the reader of the manifest refuses that. */
  async function answer(request: GateRequest, path: string, id: string, edition: Edition): Promise<Served> {
    const file = path === edition.notFound ? undefined : edition.files.get(path)
    if (file !== undefined) return answerFile(request, path, file, folderOf(id), reader)
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

  function serving({ id, site }: Manifest, edition: Edition): ServedEdition {
    return {
      releaseId: id,
      servedAs: servedAs(id, edition),
      site,
      edition,
      search(path) {
        const below = [...(edition.localeSearches ?? [])].filter(([base]) => path.startsWith(base))
        const [nearest] = below.sort(([one], [other]) => other.length - one.length)
        const search = nearest?.[1] ?? edition.search
        return search === null ? null : { file: join(releasesDir, id, search.name), sha256: search.sha256 }
      },
    }
  }

  function answerDamaged(error: unknown): Served {
    if (!(error instanceof DamagedFileError)) throw error
    if (!said.has(error.message)) onProblem(error.message)
    said.add(error.message)
    return { response: problem('unavailable'), csp: BARE }
  }

  return {
    manifest: async () => current.manifest(),
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
    async current(session) {
      const manifest = await current.manifest()
      const edition = manifest === null ? null : options.choose(manifest.editions, session)
      return manifest === null || edition === null ? null : serving(manifest, edition)
    },
    async editions() {
      const manifest = await current.manifest()
      return manifest === null ? [] : manifest.editions.map((edition) => serving(manifest, edition))
    },
    async respond(request, path, session) {
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return { response: problem('method_not_allowed', { headers: { Allow: 'GET, HEAD' } }), csp: BARE }
      const manifest = await current.manifest()
      const edition = manifest === null ? null : options.choose(manifest.editions, session)
      if (manifest === null || edition === null) return { response: problem('unavailable'), csp: BARE }
      try {
        const served = await answer(request, path, manifest.id, edition)
        const { release = manifest.id } = served
        return { ...served, release: servedAs(release, edition) }
      } catch (error) {
        return answerDamaged(error)
      }
    },
  }
}

/**
 * Sends a reader to another path of this portal, with the query of the request. `Location` is always a path, so
 * no header can turn it into another site.
 */
function redirectTo(target: string, request: GateRequest): GateResponse {
  const { path, fragment } = splitTarget(target)
  const { search } = new URL(request.url)
  const url = new URL('http://path.invalid/')
  url.hash = fragment
  const location = encodePath(path) + search + url.hash
  return new BytesResponse(null, {
    status: 308,
    headers: { Location: location, 'Content-Length': '0', 'Cache-Control': 'private, no-store' },
  })
}
