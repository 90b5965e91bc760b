import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ExplainedError } from '@sekisho/contract/explained-error'
import { createMessages, type Message } from '@sekisho/contract/language'
import {
  type Manifest,
  openPreviewStore,
  openReleaseStore,
  type PreviewStore,
  ReleaseError,
  type ReleaseFile,
  type ReleaseStore,
  readManifest,
  type StorePlace,
  storedFiles,
} from '@sekisho/release'
import type { DataFolder } from '@sekisho/server/data-folder'
import { readStorePlace } from '@sekisho/server/settings'
import type { CommandIo } from './command.ts'
import { withSettingsFile } from './site/settings-file.ts'
import { problemOf, TEXTS } from './texts/index.ts'

/** Store of published releases. */
export interface PublishingStore {
  readonly store: ReleaseStore
  /** True where `SEKISHO_RELEASES` names another place than the data folder. */
  readonly isElsewhere: boolean
}

/** The place that `SEKISHO_RELEASES` names, or null; throws {@link ReleaseError} with everything that is wrong with it. */
export function readPlace(io: CommandIo): StorePlace | null {
  const problems: Message[] = []
  const place = readStorePlace(withSettingsFile(io), (path) => readFileSync(path, 'utf8'), problems)
  if (problems.length > 0) throw new ReleaseError('store_refused', problems)
  return place
}

/** Opens the store that the environment names, else the releases of the data folder. */
export function openPublishingStore(folder: DataFolder, io: CommandIo): PublishingStore {
  const place = readPlace(io)
  return {
    store: openReleaseStore(place ?? { folder: folder.releases }),
    isElsewhere: place !== null,
  }
}

/** Reads the manifest of the served release. Throws {@link ExplainedError} where there is none. */
export async function readServedManifest(folder: DataFolder, io: CommandIo): Promise<Manifest> {
  const { store } = openPublishingStore(folder, io)
  const { id } = await store.readPointer()
  if (id === null) throw new ExplainedError(problemOf('no_release_in', store.place))
  return readManifest(await store.readManifest(id), id)
}

/** Reads a file of a release. Throws {@link ExplainedError} where its bytes are not the ones that the manifest names. */
export async function readBlob(file: ReleaseFile, id: string, store: ReleaseStore): Promise<Buffer> {
  const [stored] = storedFiles(file)
  const bytes =
    stored === undefined
      ? Buffer.alloc(0)
      : Buffer.from(await new Response(await store.openBlob(id, stored)).bytes())
  if (hash('sha256', bytes) !== file.sha256)
    throw new ExplainedError(createMessages(TEXTS, 'manual')('file_damaged', file.sha256, id))
  return bytes
}

/** Opens the previews that lie beside those releases. */
export function openPublishedPreviews(folder: DataFolder, io: CommandIo): PreviewStore {
  return openPreviewStore(readPlace(io) ?? { folder: folder.root })
}
