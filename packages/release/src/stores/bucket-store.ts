import { hash } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyChecked } from '../durable-files.ts'
import { ReleaseError } from '../errors.ts'
import { allStoredFiles, type StoredFile } from '../manifest.ts'
import { readManifestInTurns } from '../manifest-json.ts'
import { isReleaseId } from '../release-id.ts'
import { MAX_MANIFEST_BYTES } from '../release-store.ts'
import { problemOf } from '../texts/index.ts'
import { createS3Client, readText, type S3ClientOptions } from './s3-client.ts'
import { forEachAtOnce, keptRelease, type Pointer, type ReleaseStore } from './store.ts'
import { openUploadBucket } from './upload-place.ts'

const POINTER_KEY = 'current'
const MANIFESTS = 'manifests/'
/** Every file once, under the SHA-256 of exactly its bytes, whatever release it belongs to. */
const BLOBS = 'blobs/'
/** Prefix of parts waiting for their release; see `UploadPlace`. */
const UPLOADS = 'uploads/'
/** An empty object for each release that another one took the place of, written at that time. */
const REPLACED = 'replaced/'
const EMPTY = { content: new Uint8Array(), sha256: hash('sha256', '') }
const MAX_POINTER_BYTES = 1024
const AT_ONCE = 8

/** Releases in a bucket of the S3 API that honours `If-Match` and `If-None-Match` on writes. */
export function openBucketStore(options: S3ClientOptions): ReleaseStore {
  const client = createS3Client(options)
  const place = `s3://${options.bucket}/${options.prefix}`
  const manifestKey = (id: string) => `${MANIFESTS}${id}.json`
  const blobKey = ({ sha256 }: StoredFile) => BLOBS + sha256

  async function loadManifest(id: string): Promise<Buffer | null> {
    const answer = await client.get(manifestKey(id))
    return answer instanceof Response ? readText(answer, MAX_MANIFEST_BYTES) : null
  }

  async function listIds(): Promise<string[]> {
    const names = (await client.list(MANIFESTS)).map((key) =>
      key.slice(MANIFESTS.length).replace(/\.json$/, ''),
    )
    return names.filter(isReleaseId).sort().reverse()
  }

  async function blobsOf(id: string): Promise<readonly string[]> {
    const bytes = await loadManifest(id)
    return bytes === null ? [] : [...allStoredFiles(await readManifestInTurns(bytes, id))].map(blobKey)
  }

  async function readPointer(known?: Pointer): Promise<Pointer> {
    const condition = known?.version == null ? {} : { known: known.version }
    const answer = await client.get(POINTER_KEY, condition)
    if (answer === null) return known?.version === null ? known : { id: null, version: null }
    if (answer === 'unchanged') {
      if (known === undefined) throw new ReleaseError('store_refused', [problemOf('other_answer', place)])
      return known
    }
    const id = (await readText(answer, MAX_POINTER_BYTES)).toString().replace(/\n$/, '')
    return { id: isReleaseId(id) ? id : null, version: answer.headers.get('etag') }
  }

  return {
    place,
    uploads: openUploadBucket(client, UPLOADS),
    async list() {
      const [ids, notes] = await Promise.all([listIds(), client.listObjects(REPLACED)])
      const replaced = new Map(notes.map(({ key, writtenAtMs }) => [key.slice(REPLACED.length), writtenAtMs]))
      return ids.map((id) => {
        const replacedAtMs = replaced.get(id)
        return { ...keptRelease(id), ...(replacedAtMs !== undefined && { replacedAtMs }) }
      })
    },
    readPointer,
    async movePointer(id, from) {
      const content = Buffer.from(`${id}\n`)
      const condition = from.version === null ? ({ ifNoneMatch: '*' } as const) : { ifMatch: from.version }
      const body = { content, sha256: hash('sha256', content) }
      // A write whose answer was lost is found done by its second attempt.
      const isMoved =
        (await client.put(POINTER_KEY, body, condition)) !== null || (await readPointer()).id === id
      // A note for rollbacks alone: what is served is served without it.
      if (isMoved && from.id !== null && from.id !== id)
        await client.put(REPLACED + from.id, EMPTY, null).catch(() => {})
      return isMoved
    },
    async readManifest(id) {
      const bytes = await loadManifest(id)
      if (bytes === null) throw new ReleaseError('release_missing', [problemOf('no_release', place, id)])
      return bytes
    },
    async openBlob(id, stored) {
      const answer = await client.get(blobKey(stored))
      // Locked at once: Node's fetch cancels a body that nobody reads yet when its response is garbage-collected.
      if (answer instanceof Response && answer.body !== null)
        return answer.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>())
      throw new ReleaseError('release_missing', [problemOf('lacks_file', place, blobKey(stored), id)])
    },
    async findMissing(_id, files) {
      const present = new Set(await client.list(BLOBS))
      return files.filter((stored) => !present.has(blobKey(stored)))
    },
    async putBlob(_id, stored, file) {
      await client.put(
        blobKey(stored),
        { content: await openAsBlob(file), sha256: stored.sha256 },
        { ifNoneMatch: '*' },
      )
    },
    async putPieces(id, stored, pieces) {
      const folder = await mkdtemp(join(tmpdir(), 'sekisho-blob-'))
      try {
        const file = join(folder, 'blob')
        await copyChecked(pieces, stored, file)
        await this.putBlob(id, stored, file)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    async putManifest(id, bytes) {
      const content = new Uint8Array(bytes)
      await client.put(manifestKey(id), { content, sha256: hash('sha256', content) }, { ifNoneMatch: '*' })
    },
    async findLost(id, files) {
      const isThere = (await client.list(manifestKey(id))).includes(manifestKey(id))
      return isThere ? this.findMissing(id, files) : files
    },
    async remove(id) {
      const own = await blobsOf(id)
      await client.delete(REPLACED + id)
      await client.delete(manifestKey(id)) // first: from now on nobody takes it for a release
      const othersHold = async () => new Set((await Promise.all((await listIds()).map(blobsOf))).flat())
      const kept = await othersHold()
      const removed = own.filter((key) => !kept.has(key))
      await forEachAtOnce(removed, AT_ONCE, (key) => client.delete(key))
      const since = await othersHold()
      if (removed.some((key) => since.has(key))) {
        throw new ReleaseError('release_missing', [problemOf('release_lost_files')])
      }
    },
  }
}
