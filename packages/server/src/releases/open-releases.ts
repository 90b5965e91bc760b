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
  type ReleaseFile,
  type ReleaseStatus,
  type StoredFile,
  splitTarget,
} from '@sekisho/release'
import { BytesResponse, type GateRequest, type GateResponse } from '@sekisho/wire'
import { problem } from '../kernel/pages/problem.ts'
import type { Visit } from '../kernel/route-table.ts'
import { UnavailableError } from '../storage/unavailable-error.ts'
import { answerFile, answerNotFoundPage, type Served } from './file-response.ts'
import { prefersMarkdown } from './negotiate.ts'

/** An edition of the release being served. */
export interface ServedEdition {
  readonly releaseId: string
  /** What tabs are told of what they show: another release, or another edition, is news. */
  readonly servedAs: string
  readonly site: Manifest['site']
  readonly edition: Edition
  /** Every edition of the release, in their order. */
  readonly siblings: readonly Edition[]
  readonly search: FindIndex
  /** The text of a page as Markdown; null for what has none. Throws `UnavailableError` where it is damaged. */
  markdown(path: string): Promise<string | null>
}

/** The search index of the pages below a path, that of the main locale unless a further one has its own; null when there is none. */
export type FindIndex = (baseUrl: string) => NamedIndex | null

/** Where an index is, and the files of its pages where it is not one file. */
export interface NamedIndex extends NamedFile {
  readonly parts?: readonly NamedFile[]
}

interface NamedFile {
  readonly file: string
  readonly sha256: string
}

/** What a tab goes on searching that was opened before the last publication. */
export interface EarlierSearch {
  readonly servedAs: string
  readonly search: FindIndex
}

/** The published releases, seen from the gate. Nothing here knows of sessions: call it after the check. */
export interface Releases {
  /** What this reader is served now, or null when there is nothing. */
  current(session: Visit): Promise<ServedEdition | null>
  /**
   * The search of the release before the one that is served, for the tab that names it: in the edition that its reader gets today, and
   * only for a session that is older than what is served now. Null otherwise (decisions/056).
   */
  before(session: Visit, servedAs: string): Promise<EarlierSearch | null>
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
  respond(request: GateRequest, path: string, session: Visit): Promise<Served>
}

/** Which of a release's editions a reader gets; null where it holds none for them. Asked for each request. */
export type ChooseEdition = (editions: readonly Edition[], session: Visit) => Edition | null

/** What readers of a release meet. */
export type ReadReleases = Pick<Releases, 'current' | 'respond' | 'before'>

export interface ReleasesOptions extends Partial<CurrentReleaseOptions>, BlobReaderOptions {
  readonly releasesDir: string
  readonly choose: ChooseEdition
  /** Why what is published elsewhere is not here, where releases are copied from. */
  readonly refusedElsewhere?: () => string | null
}

const BARE = { kind: 'bare' } as const

/** The release alone, for a site that does not tell its readers apart. */
const servedAs = (id: string, { name }: Pick<Edition, 'name'>): string =>
  name === DEFAULT_EDITION ? id : `${id}-${name}`

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
    if (file?.markdown !== undefined) return answerText(request, path, file, edition, folderOf(id))
    if (file !== undefined) return answerFile(request, path, file, folderOf(id), reader)
    const target = edition.redirects.get(path)
    if (target !== undefined) return { response: redirectTo(target, request), csp: BARE }
    const earlier = await current.findEarlier(edition.name, path)
    const old = earlier === null ? null : await answerEarlier(request, path, earlier, reader)
    if (old !== null) return old
    return answerNotFoundPage(request, path, edition, folderOf(id), reader)
  }

  /** A page, or its Markdown for whoever asks for that: the same as is under the Markdown's own path. */
  async function answerText(
    request: GateRequest,
    path: string,
    page: ReleaseFile,
    edition: Edition,
    folder: string,
  ): Promise<Served> {
    const isMarkdown = prefersMarkdown(request.headers.get('accept'))
    const own = isMarkdown && page.markdown !== undefined ? page.markdown : path
    const served = await answerFile(request, own, edition.files.get(own) ?? page, folder, reader)
    served.response.headers.append('vary', 'Accept')
    return own === path ? served : { ...served, path: own }
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

  function serving({ id, site, editions: siblings }: Manifest, edition: Edition): ServedEdition {
    return {
      releaseId: id,
      servedAs: servedAs(id, edition),
      ...{ site, edition, siblings },
      search: indexOf(id, edition),
      async markdown(path) {
        const file = edition.files.get(edition.files.get(path)?.markdown ?? '')
        if (file === undefined) return null
        try {
          const body = reader.held(file) ?? (await reader.read(`${folderOf(id)}/${file.sha256}`, file))
          return body instanceof Uint8Array
            ? Buffer.from(body).toString('utf8')
            : await new Response(body).text()
        } catch (error) {
          answerDamaged(error)
          throw new UnavailableError('unavailable', 'the Markdown of a page is damaged')
        }
      },
    }
  }

  const indexOf =
    (id: string, { search, localeSearches }: Pick<Edition, 'search' | 'localeSearches'>): FindIndex =>
    (path) => {
      const below = [...(localeSearches ?? [])].filter(([base]) => path.startsWith(base))
      const [nearest] = below.sort(([one], [other]) => other.length - one.length)
      const found = nearest?.[1] ?? search
      const named = ({ name, sha256 }: StoredFile) => ({ file: join(releasesDir, id, name), sha256 })
      if (found === null) return null
      return found.parts === undefined ? named(found) : { ...named(found), parts: found.parts.map(named) }
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
      const locales = current.served()?.site.locales ?? {}
      const base = foldersOf(path).find((folder) => Object.hasOwn(locales, folder))
      return base === undefined ? null : (locales[base] ?? null)
    },
    async current(session) {
      const manifest = await current.manifest()
      const edition = manifest === null ? null : options.choose(manifest.editions, session)
      return manifest === null || edition === null ? null : serving(manifest, edition)
    },
    async before(session, named) {
      const manifest = await current.manifest()
      const edition = manifest === null ? null : options.choose(manifest.editions, session)
      if (manifest === null || edition === null) return null
      if (session.startedAtMs >= Date.parse(manifest.createdAt)) return null
      const earlier = await current.before()
      const same = earlier?.editions.find(({ name }) => name === edition.name)
      if (earlier === null || same === undefined || servedAs(earlier.id, edition) !== named) return null
      return { servedAs: named, search: indexOf(earlier.id, same) }
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

/** No locale's pages are below more folders. */
const MAX_FOLDERS = 8

/** The folders that a path is in, or is itself, the outermost first: `/`, `/ja/`. As many for a path of any length. */
function foldersOf(path: string): readonly string[] {
  const names = path.split('/', MAX_FOLDERS + 1)
  return names.map((_name, at) => `${names.slice(0, at + 1).join('/')}/`)
}

/**
 * Sends a reader to another path of this portal, with the query of the request. `Location` is always a path, so
 * no header can turn it into another site.
 */
export function redirectTo(target: string, request: GateRequest): GateResponse {
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
