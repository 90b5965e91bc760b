import { openBucketStore } from './bucket-store.ts'
import { openFolderStore } from './folder-store.ts'
import type { S3ClientOptions } from './s3-client.ts'
import type { ReleaseStore } from './store.ts'

/** Location of published releases: a folder, or a bucket with its credentials. */
export type StorePlace = { readonly folder: string } | { readonly bucket: S3ClientOptions }

/** Opens a store; asks nothing of it yet. `signal` ends the requests that are under way. */
export function openReleaseStore(place: StorePlace, signal?: AbortSignal): ReleaseStore {
  if ('folder' in place) return openFolderStore(place.folder)
  return openBucketStore({ ...place.bucket, ...(signal !== undefined && { signal }) })
}
