import { join } from 'node:path'
import { encodePath } from '@sekisho/contract/canonical-path'
import { MARKDOWN_TYPE } from '@sekisho/contract/page-markdown'
import {
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
import type { FileResponse, FileScope, FindIndex, ServedEdition } from '../kernel/reader.ts'
import { UnavailableError } from '../storage/unavailable-error.ts'
import { answerFile, answerNotFoundPage } from './file-response.ts'
import { prefersMarkdown } from './negotiate.ts'

/** The published releases. Readers and sessions are unknown here: the policy chooses among `editions`. */
export interface Releases {
  /** Every edition of the release that is served now, in their order; each stays what it is when another release is published. */
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
}

export interface ReleasesOptions extends Partial<CurrentReleaseOptions>, BlobReaderOptions {
  readonly releasesDir: string
  /** Reason a release published elsewhere is not here, where releases are copied. */
  readonly refusedElsewhere?: () => string | null
}

const BARE = { kind: 'bare' } as const
const NOT_FOUND = (): FileResponse => ({ response: problem('not_found'), csp: BARE })
const METHOD_NOT_ALLOWED = (): FileResponse => ({
  response: problem('method_not_allowed', { headers: { Allow: 'GET, HEAD' } }),
  csp: BARE,
})

/** Path of the Markdown in place of its page; null where the page itself is asked for. */
function markdownPath(request: GateRequest, { markdown }: ReleaseFile): string | null {
  return markdown !== undefined && prefersMarkdown(request.headers.get('accept')) ? markdown : null
}

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
  let served: { readonly of: Manifest; readonly editions: readonly ServedEdition[] } | null = null
  const folders = new Map<string, string>()
  const folderOf = (id: string) => folders.get(id) ?? remember(id)

  function remember(id: string): string {
    const folder = join(releasesDir, id, 'files')
    folders.set(id, folder)
    return folder
  }

  /** No path is both a file and a redirect: the reader of the manifest refuses that. */
  async function answer(
    request: GateRequest,
    path: string,
    { id, edition, scope }: { readonly id: string; readonly edition: Edition; readonly scope: FileScope },
  ): Promise<FileResponse> {
    const refused = (file: ReleaseFile) => scope === 'text' && !file.type.startsWith(MARKDOWN_TYPE)
    const asked = path === edition.notFound ? undefined : edition.files.get(path)
    if (asked !== undefined) {
      const own = markdownPath(request, asked) ?? path
      const file = edition.files.get(own) ?? asked
      if (refused(file)) return NOT_FOUND()
      const found = await answerFile(request, own, file, folderOf(id), reader)
      if (asked.markdown !== undefined) found.response.headers.append('vary', 'Accept')
      return own === path ? found : { ...found, path: own }
    }
    const target = edition.redirects.get(path)
    if (target !== undefined) return { response: redirectTo(target, request), csp: BARE }
    const earlier = await current.findEarlier(edition.name, path)
    if (earlier !== null && refused(earlier.file)) return NOT_FOUND()
    const old = earlier === null ? null : await answerEarlier(request, path, earlier, edition)
    if (old !== null) return old
    return answerNotFoundPage(request, path, edition, folderOf(id), reader)
  }

  /** An earlier release may be pruned at any moment: then its files do not exist. */
  async function answerEarlier(request: GateRequest, path: string, found: Found, edition: Edition) {
    try {
      const served = await answerFile(request, path, found.file, folderOf(found.releaseId), reader)
      return { ...served, release: servedAs(found.releaseId, edition) }
    } catch (error) {
      if (error instanceof DamagedFileError) return null
      throw error
    }
  }

  function serving({ id, site, createdAt }: Manifest, edition: Edition): ServedEdition {
    const { name, audiences } = edition
    return {
      name,
      audiences,
      releaseId: id,
      servedAs: servedAs(id, edition),
      site,
      edition,
      search: indexOf(id, edition),
      async earlierSearch(session, named) {
        if (session.startedAtMs >= Date.parse(createdAt)) return null
        const earlier = await current.before()
        const same = earlier?.editions.find((one) => one.name === name)
        if (earlier === null || same === undefined || servedAs(earlier.id, edition) !== named) return null
        return indexOf(earlier.id, same)
      },
      async respond(request, path, scope) {
        if (request.method !== 'GET' && request.method !== 'HEAD') return METHOD_NOT_ALLOWED()
        try {
          const served = await answer(request, path, { id, edition, scope })
          return { ...served, release: served.release ?? servedAs(id, edition) }
        } catch (error) {
          return answerDamaged(error)
        }
      },
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

  function answerDamaged(error: unknown): FileResponse {
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
    async editions() {
      const manifest = await current.manifest()
      if (manifest === null) return []
      if (served?.of !== manifest)
        served = { of: manifest, editions: manifest.editions.map((edition) => serving(manifest, edition)) }
      return served.editions
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
