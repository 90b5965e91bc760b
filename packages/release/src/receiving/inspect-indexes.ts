import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ReleaseError } from '../errors.ts'
import type { Manifest, SearchIndex, StoredFile } from '../manifest.ts'
import type { ReleaseStore } from '../stores/store.ts'
import { problemOf } from '../texts/index.ts'

/** The local files of a search index. */
export interface LocalIndex {
  readonly file: string
  readonly sha256: string
  readonly parts: readonly { readonly file: string; readonly sha256: string }[]
}

/** Inspects an index before its first search; resolves to its fault, or null. */
export type InspectIndex = (index: LocalIndex) => Promise<string | null>

/**
 * Inspects the search indexes of a release before it is pointed to: each is a database that a publisher made. Throws {@link ReleaseError}
 * with `manifest_invalid`.
 */
export async function inspectIndexes(
  store: ReleaseStore,
  { id, editions }: Manifest,
  inspect: InspectIndex,
): Promise<void> {
  const indexes = editions.flatMap(({ search, localeSearches }) => [
    ...(search === null ? [] : [search]),
    ...(localeSearches?.values() ?? []),
  ])
  const distinct = new Map(indexes.map((index) => [JSON.stringify(index), index]))
  for (const index of distinct.values()) {
    const problem = await withLocalFiles(store, id, index, inspect)
    if (problem !== null)
      throw new ReleaseError('manifest_invalid', [problemOf('index_refused', index.name, problem)])
  }
}

/** A bucket's files are copied for the time of the inspection. */
async function withLocalFiles(
  store: ReleaseStore,
  id: string,
  { parts = [], ...index }: SearchIndex,
  inspect: InspectIndex,
): Promise<string | null> {
  const { folder } = store
  if (folder !== undefined) {
    const local = ({ name, sha256 }: StoredFile) => ({ file: join(folder, id, name), sha256 })
    return inspect({ ...local(index), parts: parts.map(local) })
  }
  const copies = await mkdtemp(join(tmpdir(), 'sekisho-index-'))
  const copy = async (stored: StoredFile) => {
    const file = join(copies, stored.sha256)
    await pipeline(await store.openBlob(id, stored), createWriteStream(file))
    return { file, sha256: stored.sha256 }
  }
  try {
    const whole = await copy(index)
    return await inspect({ ...whole, parts: await Promise.all(parts.map(copy)) })
  } finally {
    await rm(copies, { recursive: true, force: true })
  }
}
