/** Rights of a publisher; previews are published with a right of their own. */
export const PUBLISHER_RIGHTS = ['publish', 'rollback', 'preview'] as const
export type PublisherRight = (typeof PUBLISHER_RIGHTS)[number]

/** Folder of the releases below a data folder: where publications arrive, and what gates serve. */
export const RELEASES_FOLDER = 'releases'

/** Frames of one request, compressed. What many proxies let through unless they are told otherwise is 1 MiB. */
export const MAX_PARTS_BODY_BYTES = 1_000_000

/** Media type of sent parts: frames (see packages/release), compressed with zstd. */
export const PARTS_TYPE = 'application/vnd.sekisho.parts+zstd'
/** Prefix of publish tokens, recognised by scanners for leaked secrets. */
export const PUBLISH_TOKEN_PREFIX = 'sekisho_publish_'

/** Target of a publication: the portal, or a preview of it. */
export type PublishTarget = 'production' | PreviewTarget

export interface PreviewTarget {
  readonly preview: string
  readonly branch: string
  readonly commit: string
  /** Days until it is no longer served; 14 by default. */
  readonly expiresInDays?: number
  /** Fewer readers than the portal has. */
  readonly readers?: { readonly domains: readonly string[]; readonly emails: readonly string[] }
}

/** Response to a CI's ID token or a publish token in `Authorization: Bearer`. */
export interface BeginResponse {
  /** In `Authorization: Bearer` of every other request. */
  readonly ticket: string
  readonly expiresAtMs: number
  /** The release that is served of the target; null when there is none. */
  readonly served: string | null
  /** Files that the portal has need not be sent with a proof of possession (see `createProof` in packages/release). */
  readonly takesProofs: boolean
}

/** A release on its way. */
export interface PlanRequest {
  readonly id: string
  /** Of its manifest. */
  readonly sha256: string
  readonly bytes: number
}

export interface PlanResponse {
  /** False while parts of the manifest are missing: the rest is known when it is whole. */
  readonly isManifestHere: boolean
  /** Files to send, by their places in the manifest's list of stored files. */
  readonly unsent: readonly number[]
  /** Parts of them that have arrived, by SHA-256. */
  readonly arrived: Readonly<Record<string, readonly number[]>>
}

export interface CommitRequest extends PlanRequest {
  /** The release served when the publisher began; the new one is served only if that still is. */
  readonly from: string | null
  /** Allows it to widen access to what the served release restricts; false by default. */
  readonly widen?: boolean
}

/**
 * `unsent`: ask for a plan again. `later`: ask again at once, it goes on from where it is. `published`: gates follow, and the one that
 * answers does not serve it yet; ask again in a moment.
 */
export type CommitResponse = ServedResponse | { readonly state: 'unsent' | 'later' }

/** Result of a publication or rollback. */
export type ServedResponse = ReleaseServed | { readonly state: 'published' }

/** The gate that answers serves it from now on. */
export interface ReleaseServed {
  readonly state: 'served'
  /** Polling interval of the other gates in milliseconds; null where there are none. */
  readonly othersLookEveryMs: number | null
}

export interface UseRequest {
  readonly id: string
  /** As in {@link CommitRequest}. */
  readonly widen?: boolean
}

export interface ReleasesResponse {
  readonly served: string | null
  /** Newest first. */
  readonly releases: readonly {
    readonly id: string
    readonly createdAtMs: number
    /** Time at which another release replaced it; absent where the store has no record. */
    readonly replacedAtMs?: number
  }[]
}

/** Reasons for refusing a publisher, shown to publishers only. */
export type PublishRefusal =
  | 'not_allowed'
  | 'other_bytes'
  | 'release_refused'
  | 'pointer_moved'
  | 'would_widen'
  | 'release_missing'
  | 'no_room'

export interface PublishRefusalResponse {
  readonly refused: PublishRefusal
  readonly problems: readonly string[]
}
