export { compareEditions, type EditionChanges, findWidening } from './compare-editions.ts'
export {
  type CurrentReleaseOptions,
  type Found,
  followCurrent,
  type ReleaseStatus,
} from './current-release.ts'
export { isErrno, replaceDurably, syncFiles, syncFolder, writeDurably } from './durable-files.ts'
export { ReleaseError, type ReleaseErrorCode } from './errors.ts'
export {
  allStoredFiles,
  type CachePolicy,
  DEFAULT_EDITION,
  type Delivery,
  type Edition,
  ENCODING_SUFFIXES,
  type Encoding,
  editionLabel,
  type Manifest,
  type ReleaseFile,
  type ReleaseSource,
  type SearchIndex,
  type StoredBytes,
  type StoredFile,
  searchIndexes,
  storedFiles,
} from './manifest.ts'
export { readManifest } from './manifest-json.ts'
export {
  type BlobReader,
  type BlobReaderOptions,
  type Body,
  createBlobReader,
  DamagedFileError,
} from './reading/blob-reader.ts'
export { isReleaseId, readReleaseId } from './release-id.ts'
export {
  isIntact,
  listReleaseIds,
  loadManifest,
  movePointer,
  readPointer,
  releasesDirOf,
} from './release-store.ts'
export { splitTarget } from './request-path.ts'
export { fetchRelease } from './stores/fetch-release.ts'
export { createMirror, type MirrorOptions } from './stores/mirror.ts'
export { openReleaseStore, type StorePlace } from './stores/open-store.ts'
export {
  MAX_PREVIEWS_OF_ONE,
  MAX_PREVIEWS_OF_REPOSITORY,
  type Preview,
  type PreviewReaders,
  publisherOf,
} from './stores/preview-list.ts'
export {
  openPreviewStore,
  type PreviewPlace,
  type PreviewStore,
  previewReleasesDir,
} from './stores/previews.ts'
export { type Publication, publishRelease } from './stores/publish-release.ts'
export { DEFAULT_RETENTION, pruneStore, type Retention } from './stores/retention.ts'
export {
  createS3Client,
  type S3Client,
  type S3ClientOptions,
  type S3Credentials,
} from './stores/s3-client.ts'
export { type KeptRelease, type Pointer, type ReleaseStore, releaseBefore } from './stores/store.ts'
export {
  bytesBehind,
  bytesOfPart,
  createProof,
  type Frame,
  frameBytes,
  MAX_BATCH_BYTES,
  MAX_HANDLED_BYTES,
  PART_BYTES,
  partCount,
  readFrames,
  writeFrames,
} from './transfer/frames.ts'
