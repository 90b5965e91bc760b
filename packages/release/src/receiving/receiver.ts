import { setTimeout as sleep } from 'node:timers/promises'
import type {
  CommitRequest,
  CommitResponse,
  PlanRequest,
  PlanResponse,
  PublisherRight,
  PublishRefusal,
  PublishTarget,
  ServedResponse,
  UseRequest,
} from '@sekisho/contract/publishing'
import { ReleaseError, type ReleaseErrorCode } from '../errors.ts'
import { allStoredFiles, type Manifest } from '../manifest.ts'
import { readManifestInTurns } from '../manifest-json.ts'
import { findStoredWidening } from '../manifest-thread.ts'
import { readReleaseId } from '../release-id.ts'
import { MAX_MANIFEST_BYTES, removeLeftovers } from '../release-store.ts'
import type { PreviewStore } from '../stores/previews.ts'
import { pruneStore, type Retention } from '../stores/retention.ts'
import type { ReleaseStore } from '../stores/store.ts'
import { ownUploads } from '../stores/upload-place.ts'
import { bytesBehind, type Frame } from '../transfer/frames.ts'
import {
  findUnsent,
  type IncomingRelease,
  type MissingFiles,
  PREVIEW_LIMITS,
  type ReceivingPlace,
  readIncoming,
  settleRelease,
} from './incoming-release.ts'
import { type InspectIndex, inspectIndexes } from './inspect-indexes.ts'
import { createManifestReader } from './manifest-reader.ts'
import { type AnnounceReaders, createPreviewClaims } from './preview-claims.ts'
import type { ServedFiles } from './served-files.ts'
import { keepPart, keepProven, sweepUploads } from './waiting-parts.ts'

/** Refusal of a publisher's request, with the reason. */
export class RefusedPublishError extends Error {
  override readonly name = 'RefusedPublishError'
  readonly refused: PublishRefusal
  readonly problems: readonly string[]

  constructor(refused: PublishRefusal, problems: readonly string[]) {
    super(problems.join('; '))
    this.refused = refused
    this.problems = problems
  }
}

export interface ReceiverOptions {
  /** Store of published releases. */
  readonly store: ReleaseStore
  readonly previews: PreviewStore
  readonly served: ServedFiles
  readonly retention: Retention
  /** Limit of waiting parts and of one release, together. */
  readonly maxBytes: number
  /** Files and redirects of one release; a publisher of previews alone may have fewer. */
  readonly maxEntries: number
  /** Bytes that are free on the disk where releases are; null where there is no disk. */
  readonly freeBytes: () => Promise<number | null>
  readonly now: () => number
  readonly serving: ServingHere
  readonly inspectIndex: InspectIndex
}

/** The gate that receives releases, as one of those that serve them. */
interface ServingHere {
  /**
   * Looks at once at what is to be served; resolves to whether that is the release. Of a preview, which is opened by its readers, it
   * forgets what was known.
   * @param manifest its own, where that is at hand: it is not read again
   */
  serves(target: PublishTarget, id: string, manifest?: Manifest): Promise<boolean>
  /** Polling interval of the other gates in milliseconds; null where there are none. */
  othersLookEveryMs(target: PublishTarget): number | null
}

/** Lifetime of abandoned parts. */
const WAIT_MS = 24 * 60 * 60_000
const MAX_WAITING = 250_000
/** Part of that place for publishers of previews alone: they cannot keep a release out. */
const PREVIEW_SHARE = 0.75
/** So much of the disk is left to sessions and the audit trail. */
const MIN_FREE_BYTES = 256 * 1024 * 1024
/** An answer comes before a proxy loses patience; the sender asks again. */
const SETTLE_MS = 15_000
const MAX_AHEAD_MS = 60 * 60_000

/** The publisher, and which existing blobs of the portal it may reuse. */
interface Publisher {
  readonly target: PublishTarget
  readonly may: readonly PublisherRight[]
  /** Identity among publishers. */
  readonly owner: string
}

/** Tells if a publisher may learn the served hashes, and have files reused by hash alone. */
export function mayKnowServed({ may }: Pick<Publisher, 'may'>): boolean {
  return may.includes('publish')
}

/** Told before something happens; what rejects cannot be recorded, and does not happen. */
interface Announce {
  pointer(before: string | null): Promise<void>
  readers: AnnounceReaders
}

export type Receiver = ReturnType<typeof createReceiver>

/** Takes releases in. Throws {@link RefusedPublishError}, or `ReleaseError` where the store cannot be used. */
export function createReceiver(options: ReceiverOptions) {
  const { store, previews, served, serving, now } = options
  const { uploads } = store
  const claims = createPreviewClaims(previews, now)
  /** By role: a release waits for no preview's manifest. */
  const manifests = { releases: createManifestReader(), previews: createManifestReader() }
  const releaseLimits = { maxBytes: MAX_MANIFEST_BYTES, maxEntries: options.maxEntries }
  let waiting = { bytes: 0, count: 0 }
  /** The release that was planned last: it is most often the next to be committed, and large to read again. */
  let planned: (MissingFiles & { readonly of: string; readonly release: IncomingRelease }) | null = null
  let hasBegun = false // a gate that nobody publishes to need not be let write to its store

  /** Waiting place shared by all who may publish the portal; other publishers have one each. */
  function placeOf(publisher: Publisher): ReceivingPlace {
    const { target, owner } = publisher
    const knows = mayKnowServed(publisher)
    return {
      store: target === 'production' ? store : previews.open(target.preview),
      uploads: knows ? uploads : ownUploads(uploads, owner),
      blobSource: target === 'production' ? null : { store, reuses: knows ? 'named' : 'proven' },
    }
  }

  /** Removes leftovers, hourly and before each release, when no upload waits. */
  async function tidy(): Promise<void> {
    if (hasBegun) await pruneStore(store, options.retention, now())
    if (!hasBegun && store.folder === undefined) return
    waiting = { ...(await sweepUploads(uploads, now() - WAIT_MS)) }
    planned = null
    manifests.releases.forget()
    manifests.previews.forget()
    if (store.folder !== undefined) await removeLeftovers(store.folder, now()).catch(ignoreMissing)
  }

  async function assertRoom(publisher: Publisher, bytes: number): Promise<void> {
    const share = mayKnowServed(publisher) ? 1 : PREVIEW_SHARE
    const isFull = waiting.bytes + bytes > options.maxBytes * share || waiting.count >= MAX_WAITING * share
    const free = await options.freeBytes()
    const isDiskFull = free !== null && free < MIN_FREE_BYTES + bytes
    if (isFull || isDiskFull)
      throw new RefusedPublishError('no_room', ['no more can wait here; see SEKISHO_PUBLISH_MAX_MB'])
  }

  /** Resolves to false where that takes longer than an answer may; the sender asks again. A refused release is removed. */
  async function isInspected(at: ReleaseStore, manifest: Manifest, untilMs: number): Promise<boolean> {
    const inspecting = inspectIndexes(at, manifest, options.inspectIndex).then(() => true)
    const late = sleep(Math.max(0, untilMs - performance.now()), false, { ref: false })
    try {
      return await Promise.race([inspecting, late])
    } catch (error) {
      if (error instanceof ReleaseError) await at.remove(manifest.id)
      throw error
    } finally {
      inspecting.catch(() => {}) // told to the request that asks for it next
    }
  }

  async function readRelease(publisher: Publisher, place: ReceivingPlace, request: PlanRequest) {
    if (Date.parse(readReleaseId(request.id).createdAt) > now() + MAX_AHEAD_MS)
      throw new RefusedPublishError('release_refused', [
        'the release is of the future: set the clock that packed it',
      ])
    const release = mayKnowServed(publisher)
      ? await readIncoming(place, request, releaseLimits, manifests.releases)
      : await readIncoming(place, request, PREVIEW_LIMITS, manifests.previews)
    if (release !== null && publisher.target !== 'production')
      await claims.claim({ ...publisher, target: publisher.target })
    return release
  }

  /** Skips the comparison for a damaged served release: a publication then repairs it. */
  async function assertNotWider(servedId: string | null, id: string, manifest: Uint8Array): Promise<void> {
    if (servedId === null) return
    const bytes = await store.readManifest(servedId).catch(() => null)
    const after = { id, bytes: manifest }
    const widening =
      bytes === null ? [] : await findStoredWidening({ before: { id: servedId, bytes }, after })
    if (widening.length > 0)
      throw new RefusedPublishError('would_widen', [
        `restricted in the release that is served, and shown to more readers: ${widening.slice(0, 20).join(', ')}; publish it with --widen if that is meant`,
      ])
  }

  /** The pointer is moved: from here on the release is published, whatever this gate can make of it. */
  async function tellServed(target: PublishTarget, id: string, manifest?: Manifest): Promise<ServedResponse> {
    const isServed = await Promise.race([
      serving.serves(target, id, manifest),
      sleep(SETTLE_MS, false, { ref: false }),
    ])
    return isServed
      ? { state: 'served', othersLookEveryMs: serving.othersLookEveryMs(target) }
      : { state: 'published' }
  }

  return {
    tidy: () => explained(tidy),

    /** Start of a publication, with the target's served release. */
    begin: (publisher: Publisher) =>
      explained(async () => {
        const { target } = publisher
        hasBegun = true
        await tidy()
        if (target !== 'production') await claims.assertMayBegin({ ...publisher, target })
        const { id } = await placeOf(publisher).store.readPointer()
        const takesProofs = target !== 'production' && !mayKnowServed(publisher)
        return { served: id, takesProofs: takesProofs && (await served.hasRelease()) }
      }),

    /** @param key of the proofs among the frames */
    keepParts: (publisher: Publisher, frames: readonly Frame[], key: string) =>
      explained(async () => {
        const { uploads } = placeOf(publisher)
        const sent = frames.filter(({ kind }) => kind === 'part')
        const parts = [...new Map(sent.map((one) => [`${one.sha256} ${one.part}`, one])).values()]
        const bytes = parts.reduce((sum, frame) => sum + bytesBehind(frame), 0)
        await assertRoom(publisher, bytes)
        waiting.bytes += bytes
        waiting.count += frames.length // proofs wait there, too
        for (const part of parts) await keepPart(uploads, part)
        const proven: string[] = []
        for (const frame of frames)
          if (frame.kind === 'proof' && (await served.isProven(frame, key))) proven.push(frame.sha256)
        if (proven.length > 0) await keepProven(uploads, proven)
      }),

    plan: (publisher: Publisher, request: PlanRequest): Promise<PlanResponse> =>
      explained(async () => {
        const place = placeOf(publisher)
        const release = await readRelease(publisher, place, request)
        if (release === null) return { isManifestHere: false, unsent: [], arrived: {} }
        const { missing, unsent, arrived } = await findUnsent(place, release)
        planned = { of: nameOf(publisher, request), release, missing, atFirst: missing }
        await assertRoom(
          publisher,
          unsent.reduce((sum, { bytes }) => sum + bytes, 0),
        )
        const isUnsent = new Set(unsent)
        return {
          isManifestHere: true,
          unsent: release.files.flatMap((stored, index) => (isUnsent.has(stored) ? [index] : [])),
          arrived: Object.fromEntries(
            unsent.flatMap(({ sha256 }) => {
              const parts = arrived.get(sha256)
              return parts === undefined ? [] : [[sha256, [...parts]]]
            }),
          ),
        }
      }),

    commit: (publisher: Publisher, request: CommitRequest, announce: Announce): Promise<CommitResponse> =>
      explained(async () => {
        const { target } = publisher
        const place = placeOf(publisher)
        const pointer = await place.store.readPointer()
        if (pointer.id === request.id) return tellServed(target, request.id) // an answer was lost, or is asked for again
        if (pointer.id !== request.from) throw pointerMoved(pointer.id)
        const known = planned?.of === nameOf(publisher, request) ? planned : null
        planned = null
        const release = known?.release ?? (await readRelease(publisher, place, request))
        if (release === null) return { state: 'unsent' }
        if (target === 'production' && request.widen !== true)
          await assertNotWider(pointer.id, release.id, release.manifestBytes)
        const untilMs = performance.now() + SETTLE_MS
        const isInTime = () => performance.now() < untilMs
        const settled = await settleRelease(place, release, isInTime, known ?? undefined)
        if (settled.state === 'later') {
          const atFirst = known?.atFirst ?? release.files
          planned = { of: nameOf(publisher, request), release, missing: settled.left, atFirst }
        }
        if (settled.state !== 'whole') return { state: settled.state }
        const [lost] = await place.store.findLost(request.id, release.files)
        if (lost !== undefined) return { state: 'unsent' } // what it shared with a release that was removed meanwhile
        if (!(await isInspected(place.store, release.manifest, untilMs))) return { state: 'later' }
        if (target !== 'production') await claims.settle({ ...publisher, target }, announce.readers)
        await announce.pointer(pointer.id)
        if (!(await place.store.movePointer(request.id, pointer))) throw pointerMoved(null)
        if (target !== 'production') await pruneStore(place.store, options.retention, now())
        return tellServed(target, request.id, release.manifest)
      }),

    releases: () =>
      explained(async () => {
        const { id: servedId } = await store.readPointer()
        return { served: servedId, releases: await store.list() }
      }),

    /** Serves a release that is kept. */
    use: ({ id, widen }: UseRequest, announce: Pick<Announce, 'pointer'>): Promise<ServedResponse> =>
      explained(async () => {
        const pointer = await store.readPointer()
        if (pointer.id === id) return tellServed('production', id)
        const isKept = (await store.list()).some((kept) => kept.id === id)
        if (!isKept) throw new RefusedPublishError('release_missing', [`release ${id} is not kept`])
        const bytes = await store.readManifest(id)
        const manifest = await readManifestInTurns(bytes, id) // a damaged release must not be pointed to
        if (widen !== true) await assertNotWider(pointer.id, id, bytes)
        const [lost] = await store.findLost(id, [...allStoredFiles(manifest)])
        if (lost !== undefined)
          throw new RefusedPublishError('release_missing', [`${lost.name} of release ${id} is gone`])
        await announce.pointer(pointer.id)
        if (!(await store.movePointer(id, pointer))) throw pointerMoved(null)
        return tellServed('production', id)
      }),
  }
}

const nameOf = ({ target, owner, may }: Publisher, { id, sha256 }: PlanRequest): string =>
  JSON.stringify([target, owner, may, id, sha256])

function pointerMoved(id: string | null): RefusedPublishError {
  const what =
    id === null ? 'another release was published in the meantime' : `release ${id} is served in the meantime`
  return new RefusedPublishError('pointer_moved', [`${what}: build from what is newest, and publish again`])
}

const REFUSALS: Readonly<Partial<Record<ReleaseErrorCode, PublishRefusal>>> = {
  manifest_mismatch: 'other_bytes',
  manifest_invalid: 'release_refused',
  pointer_invalid: 'release_refused',
  preview_invalid: 'release_refused',
  previews_full: 'no_room',
  preview_taken: 'not_allowed',
  release_missing: 'release_missing',
}

async function explained<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error
    const refused = REFUSALS[error.code]
    if (refused === undefined) throw error
    throw new RefusedPublishError(refused, error.problems.slice(0, 20).map(String))
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}
