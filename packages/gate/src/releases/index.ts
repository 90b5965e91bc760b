import type { CommandIo } from './command-io.ts'
import type { PackOptions, PackReport } from './pack.ts'

export { type CommandIo, processIo } from './command-io.ts'
export type { ReleaseStatus } from './current-release.ts'
export { ReleaseError, type ReleaseErrorCode } from './errors.ts'
export type { AnswerPolicy, Served } from './file-answer.ts'
export {
  type CachePolicy,
  type Delivery,
  ENCODING_SUFFIXES,
  type Encoding,
  type Manifest,
  type ReleaseFile,
  type StoredBytes,
  storedFiles,
} from './manifest.ts'
export { readManifest } from './manifest-json.ts'
export { openReleases, type Releases, type ReleasesOptions } from './open-releases.ts'
export {
  isIntact,
  listReleaseIds,
  loadManifest,
  movePointer,
  readPointer,
  releasesDirOf,
} from './release-store.ts'
export type { PackOptions, PackReport }

// What only commands need is loaded when they run: a serving gate does without its memory.

/** Makes a release of a build and publishes it; see `pack.ts`. */
export async function packRelease(options: PackOptions): Promise<PackReport> {
  return (await import('./pack.ts')).packRelease(options)
}

/** Runs `sekisho build`; resolves to its exit code. */
export async function runBuildCommand(args: readonly string[], io: CommandIo): Promise<number> {
  return (await import('./build-command.ts')).runBuildCommand(args, io)
}

/** Runs `sekisho releases …`; resolves to its exit code. */
export async function runReleasesCommand(args: readonly string[], io: CommandIo): Promise<number> {
  return (await import('./releases-command.ts')).runReleasesCommand(args, io)
}
