import { hash } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isPreviewName } from '@sekisho/contract/preview-host'
import { isErrno, replaceDurably, syncFolder } from '../durable-files.ts'
import { ReleaseError } from '../errors.ts'
import { problemOf } from '../texts/index.ts'
import { openBucketStore } from './bucket-store.ts'
import { lockFolder, openFolderStore } from './folder-store.ts'
import {
  assertMayStand,
  type ListedPreview,
  type MAX_PREVIEWS,
  type MAX_PREVIEWS_OF_ONE,
  type Preview,
  readPreviewList,
  writePreviewList,
} from './preview-list.ts'
import { createS3Client, readText, type S3ClientOptions } from './s3-client.ts'
import { forEachAtOnce, type ReleaseStore } from './store.ts'

/** Below which previews are kept: a data folder or a shared one, or the bucket of the portal's releases. */
export type PreviewPlace = { readonly folder: string } | { readonly bucket: S3ClientOptions }

/**
 * The previews of a portal. Each is a store of its own, with a pointer of its own; one small list names them all, so that one question
 * tells a gate which there are. Throws {@link ReleaseError}.
 */
export interface PreviewStore {
  /** Name for messages; holds no credentials. */
  readonly place: string
  /** Every preview that was not removed, by name, expired ones too. The very same list while nothing changes. */
  list(): Promise<readonly Preview[]>
  /** The releases of a preview; asks nothing of the place yet. Throws `preview_invalid` for what is no name. */
  open(name: string): ReleaseStore
  /**
   * Makes a preview unless it exists; call it before putting its first file, so that removal finds everything. Throws `preview_invalid`,
   * `preview_taken` for another owner's, and `previews_full` beyond {@link MAX_PREVIEWS} and {@link MAX_PREVIEWS_OF_ONE}, which count
   * expired ones until `removeExpired`.
   */
  claim(preview: Preview): Promise<void>
  /** Makes a preview, or describes it anew; throws as {@link claim} does. */
  describe(preview: Preview): Promise<void>
  /** Removes a preview and its files; serving stops once the list is written. False when there is none. */
  remove(name: string): Promise<boolean>
  /** Removes what has expired, and finishes removals that were broken off; returns the names. */
  removeExpired(nowMs: number): Promise<readonly string[]>
}

/** Storage of the list and files of previews. */
interface Backend {
  readonly place: string
  /** The list's text, and what its state is called; both null when there was never one. `unchanged` since `version`. */
  read(version: string | null): Promise<{ text: string | null; version: string | null } | 'unchanged'>
  /** Compare-and-swap; false after a concurrent write. */
  write(content: Buffer<ArrayBuffer>, from: string | null): Promise<boolean>
  open(name: string): ReleaseStore
  removeFiles(name: string): Promise<void>
}

const FOLDER = 'previews'
const LIST = 'list.json'
const RELEASES = 'releases'
/** Size limit of the list: a hundred previews with a thousand readers each would exceed it. */
const MAX_LIST_BYTES = 2 * 1024 * 1024
const ATTEMPTS = 20
const AT_ONCE = 8

/** Folder of a preview's releases below the folder that {@link openPreviewStore} was given. */
export function previewReleasesDir(folder: string, name: string): string {
  return join(folder, FOLDER, name, RELEASES)
}

/** Opens the previews below a place; asks nothing of it yet. `signal` ends the requests that are under way. */
export function openPreviewStore(place: PreviewPlace, signal?: AbortSignal): PreviewStore {
  const backend =
    'folder' in place
      ? folderBackend(join(place.folder, FOLDER))
      : bucketBackend({ ...place.bucket, ...(signal !== undefined && { signal }) })
  let last: { readonly listed: readonly ListedPreview[]; readonly version: string | null } | null = null
  let shown: { readonly of: readonly ListedPreview[]; readonly previews: readonly Preview[] } | null = null

  async function read() {
    const found = await backend.read(last?.version ?? null)
    if (found === 'unchanged') {
      if (last !== null) return last
      throw new ReleaseError('store_refused', [problemOf('other_answer', backend.place)])
    }
    last = { listed: found.text === null ? [] : readPreviewList(found.text), version: found.version }
    return last
  }

  /** Changes the list under concurrency: `change` runs again after a concurrent write. Null changes nothing. */
  async function update(change: (listed: readonly ListedPreview[]) => readonly ListedPreview[] | null) {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const { listed, version } = await read()
      const next = change(listed)
      if (next === null) return
      const content = writePreviewList(next)
      if (content.byteLength > MAX_LIST_BYTES)
        throw new ReleaseError('preview_invalid', [problemOf('readers_list_too_long')])
      readPreviewList(content.toString()) // what could not be read again is not written
      if (await backend.write(content, version)) return
    }
    throw new ReleaseError('store_unavailable', [problemOf('previews_contended', backend.place)])
  }

  /** Marks previews, which stops serving them; entries go with their files, unless described again meanwhile. */
  async function remove(isGoing: (preview: ListedPreview) => boolean): Promise<string[]> {
    let names: string[] = []
    await update((listed) => {
      names = listed.filter(isGoing).map(({ name }) => name)
      return names.length === 0
        ? null
        : listed.map((one) => (names.includes(one.name) ? { ...one, isRemoved: true } : one))
    })
    for (const name of names) {
      await backend.removeFiles(name)
      await update((listed) => {
        const isOver = (one: ListedPreview) => one.name === name && one.isRemoved === true
        return listed.some(isOver) ? listed.filter((one) => !isOver(one)) : null
      })
    }
    return names
  }

  async function put(preview: Preview, isKept: (before: ListedPreview | undefined) => boolean) {
    assertName(preview.name)
    await remove((one) => one.name === preview.name && one.isRemoved === true) // broken off: its files are nobody's
    await update((listed) => {
      assertMayStand(preview, listed)
      const before = listed.find(({ name }) => name === preview.name)
      return isKept(before) ? null : [...listed.filter((one) => one !== before), preview]
    })
  }

  return {
    place: backend.place,
    async list() {
      const { listed } = await read()
      if (shown?.of !== listed)
        shown = { of: listed, previews: listed.filter(({ isRemoved }) => isRemoved !== true) }
      return shown.previews
    },
    open(name) {
      assertName(name)
      return backend.open(name)
    },
    claim: (preview) => put(preview, (before) => before !== undefined),
    describe: (preview) => put(preview, () => false),
    async remove(name) {
      assertName(name)
      return (await remove((one) => one.name === name)).length > 0
    },
    removeExpired: (nowMs) => remove((one) => one.isRemoved === true || one.expiresAtMs <= nowMs),
  }
}

function assertName(name: string): void {
  if (isPreviewName(name)) return
  throw new ReleaseError('preview_invalid', [problemOf('bad_preview_name', JSON.stringify(name))])
}

function folderBackend(root: string): Backend {
  const file = join(root, LIST)
  const read = async () => {
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      if (isErrno(error, 'ENOENT')) return null
      throw error
    })
    return { text, version: text === null ? null : hash('sha256', text) }
  }
  return {
    place: root,
    async read(version) {
      const found = await read()
      return version !== null && found.version === version ? 'unchanged' : found
    },
    async write(content, from) {
      await mkdir(root, { recursive: true, mode: 0o700 })
      await using _lock = await lockFolder(root)
      if ((await read()).version !== from) return false
      await replaceDurably(file, content)
      await syncFolder(root)
      return true
    },
    open: (name) => openFolderStore(join(root, name, RELEASES)),
    removeFiles: (name) => rm(join(root, name), { recursive: true, force: true }),
  }
}

function bucketBackend(options: S3ClientOptions): Backend {
  const below = (rest: string): S3ClientOptions => ({
    ...options,
    prefix: `${options.prefix}${FOLDER}/${rest}`,
  })
  const client = createS3Client(below(''))
  return {
    place: `s3://${options.bucket}/${options.prefix}${FOLDER}/`,
    async read(version) {
      const answer = await client.get(LIST, version === null ? {} : { known: version })
      if (answer === 'unchanged') return answer
      if (answer === null) return { text: null, version: null }
      const bytes = await readText(answer, MAX_LIST_BYTES)
      return { text: bytes.toString(), version: answer.headers.get('etag') }
    },
    async write(content, from) {
      const condition = from === null ? ({ ifNoneMatch: '*' } as const) : { ifMatch: from }
      if ((await client.put(LIST, { content, sha256: hash('sha256', content) }, condition)) !== null)
        return true
      // A write whose answer was lost is found done by its second attempt.
      const now = await client.get(LIST)
      return now instanceof Response && (await readText(now, MAX_LIST_BYTES)).equals(content)
    },
    open: (name) => openBucketStore(below(`${name}/`)),
    async removeFiles(name) {
      await forEachAtOnce(await client.list(`${name}/`), AT_ONCE, (key) => client.delete(key))
    },
  }
}
