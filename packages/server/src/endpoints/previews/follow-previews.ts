import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { previewOrigin } from '@sekisho/contract/preview-host'
import { openPreviewStore, type Preview, type PreviewPlace } from '@sekisho/release'
import { hostValues, type Service } from '@sekisho/wire'
import type { Log } from '../../kernel/monitoring/log.ts'
import { inTime, previewLookMs } from '../../releases/follow-store.ts'
import type { DataFolder } from '../../storage/data-folder.ts'
import type { LivePreview } from './hand-over.ts'

/** The previews that are served now. */
export interface Previews extends AsyncDisposable {
  /** By its name; null for one that is removed, expired or was never there. */
  find(name: string): LivePreview | null
  /** By a value of `Host`, in lower case. */
  findService(host: string): Service | null
  /** Looks at once at what is published of one; what was known of it counts no longer. */
  refresh(name: string): Promise<void>
}

interface FollowPreviewsOptions {
  readonly place: PreviewPlace
  readonly folder: Pick<DataFolder, 'fetchedPreviews'>
  readonly portal: URL
  /** Makes what answers for a preview; asks nothing of any disk. */
  readonly serve: (live: LivePreview) => Service
  /** Told of previews whose description has changed or that are gone: what is known of them counts no longer. */
  readonly onGone: (name: string) => void
  readonly log: Log
  readonly now: () => number
}

/** The portal does not wait longer than this for a list that cannot be had. */
const FIRST_MS = 2_000
/** Interval of removals, which may be forbidden here for files kept elsewhere. */
const SWEEP_MS = 600_000

/** Follows the list of previews until it is disposed. While it cannot be read, those known go on until they expire. */
export async function followPreviews(options: FollowPreviewsOptions): Promise<Previews> {
  const { place, portal, serve, onGone, log, now } = options
  const ending = new AbortController()
  const store = openPreviewStore(place, ending.signal)
  let listed: readonly Preview[] = []
  let live = new Map<string, LivePreview & { readonly service: Service }>()
  let hosts = new Map<string, string>() // name by value of Host
  let said: string | null = null
  let sweepAtMs = 0

  const isAlive = ({ expiresAtMs }: Preview) => now() < expiresAtMs
  const find = (name: string) => {
    const found = live.get(name)
    return found !== undefined && isAlive(found.preview) ? found : null
  }

  function adopt(previews: readonly Preview[]): void {
    const before = live
    listed = previews
    live = new Map(
      previews.filter(isAlive).flatMap((preview) => {
        const known = before.get(preview.name)
        if (known !== undefined && isSame(known.preview, preview)) return [[preview.name, known]]
        const origin = previewOrigin(preview.name, portal)
        if (origin === null) return []
        return [[preview.name, { preview, origin, service: serve({ preview, origin }) }]]
      }),
    )
    hosts = new Map([...live].flatMap(([name, { origin }]) => hostValues(origin).map((host) => [host, name])))
    for (const [name, known] of before) if (live.get(name) !== known) onGone(name)
  }

  async function look(): Promise<void> {
    const previews = await store.list()
    const expired = listed.length > 0 && [...live.values()].some(({ preview }) => !isAlive(preview))
    if (previews === listed && !expired) return
    if (expired) sweepAtMs = 0
    adopt(previews)
    await removeCopies()
  }

  /** Nothing of a preview that is gone stays on this machine. */
  async function removeCopies(): Promise<void> {
    for (const name of await readdir(options.folder.fetchedPreviews).catch(() => [])) {
      if (!live.has(name))
        await rm(join(options.folder.fetchedPreviews, name), { recursive: true, force: true })
    }
  }

  async function sweep(): Promise<void> {
    if (now() < sweepAtMs) return
    sweepAtMs = now() + SWEEP_MS
    const removed = await store.removeExpired(now())
    if (removed.length > 0) log('info', 'previews_expired', { previews: removed.join(' ') })
  }

  function tell(reason: string | null): void {
    if (reason !== null && reason !== said && !ending.signal.aborted)
      log('error', 'previews_failed', { reason })
    said = reason
  }

  async function lookOnce(): Promise<void> {
    try {
      await look()
      await sweep()
      tell(null)
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error))
    }
  }
  let looking: Promise<void> | null = null
  const lookAgain = () => {
    looking ??= lookOnce().finally(() => {
      looking = null
    })
    return looking
  }
  await inTime(lookAgain(), FIRST_MS)
  const timer = setInterval(lookAgain, previewLookMs(place))

  return {
    find,
    findService: (host) => find(hosts.get(host) ?? '')?.service ?? null,
    async refresh(name) {
      await looking // which may have seen what was before
      await lookAgain()
      onGone(name)
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      ending.abort()
      await looking
    },
  }
}

function isSame(a: Preview, b: Preview): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
