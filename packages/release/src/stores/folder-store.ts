import { createReadStream, statSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  copyChecked,
  copyDurably,
  holds,
  isErrno,
  linkStored,
  syncFiles,
  writeDurably,
} from '../durable-files.ts'
import { ReleaseError } from '../errors.ts'
import { allStoredFiles, BLOBS, type StoredFile } from '../manifest.ts'
import { readManifestInTurns } from '../manifest-json.ts'
import {
  adoptRelease,
  listReleaseIds,
  loadManifest,
  movePointer,
  readPointer,
  readReplacedAtMs,
} from '../release-store.ts'
import { problemOf } from '../texts/index.ts'
import { keptRelease, type Pointer, type ReleaseStore } from './store.ts'
import { openUploadFolder } from './upload-place.ts'

const LOCK = '.pointer-lock'
const DAMAGED = 'damaged'
/** The pointer is moved in milliseconds; a lock this old is of a process that died. */
const STALE_LOCK_MS = 10_000
/** Names of what waits for its release; see `UploadPlace`. */
const UPLOADS = '.uploads'
/** So many files are looked for and linked before requests get their turn. */
const FILES_A_TURN = 200
/** Looking goes on no longer in a place with very many releases; what was not found is sent again. */
const MAX_LOOKS = 500_000

/** Releases in a folder: the gate's own, or one that several machines share. */
export function openFolderStore(releasesDir: string): ReleaseStore {
  const staging = (id: string) => join(releasesDir, `.tmp-publish-${id}`)
  const pointer = async (): Promise<Pointer> => {
    const id = await readPointer(releasesDir).catch((error: unknown) => {
      if (error instanceof ReleaseError) return DAMAGED
      throw error
    })
    return { id: id === DAMAGED ? null : id, version: id }
  }

  /** Files not yet set aside for the release under way; incomplete ones are deleted. Bytes from the network are read again. */
  async function findUnset(id: string, files: readonly StoredFile[]): Promise<StoredFile[]> {
    const names = new Set(await readdir(join(staging(id), BLOBS)))
    const unset: StoredFile[] = []
    for (const [index, stored] of files.entries()) {
      if (index % FILES_A_TURN === 0) await nextTurn()
      if (names.has(basename(stored.name))) {
        const file = join(staging(id), stored.name)
        const { size, nlink } = statSync(file)
        if (size === stored.bytes && (nlink > 1 || (await holds(file, stored)))) continue
        await rm(file) // a link that an attempt broken off left may be of something else
      }
      unset.push(stored)
    }
    return unset
  }

  /** Links what kept releases have to the release under way; readers of blobs notice damage, so their manifests are believed here. */
  async function setAside(id: string, files: readonly StoredFile[], folders: readonly string[]) {
    let looks = 0
    let missing = files
    for (const folder of folders) {
      for (const release of await listReleaseIds(folder)) {
        if (missing.length === 0 || looks > MAX_LOOKS) return missing
        const there: StoredFile[] = []
        for (const stored of missing) {
          if (looks++ % FILES_A_TURN === 0) await nextTurn()
          const file = join(folder, release, stored.name)
          if (statSync(file, { throwIfNoEntry: false })?.size === stored.bytes) there.push(stored)
        }
        if (there.length === 0) continue
        const set = await linkSame(id, there, folder, release)
        missing = missing.filter((stored) => !set.has(stored))
      }
    }
    return missing
  }

  /** A compressed file is called by what it unpacks to, so its name does not tell its bytes. */
  async function linkSame(id: string, files: readonly StoredFile[], folder: string, release: string) {
    const set = new Set<StoredFile>()
    const manifest = await loadManifest(folder, release).catch(() => null)
    const known = new Map(
      manifest === null ? [] : [...allStoredFiles(manifest)].map(({ name, sha256 }) => [name, sha256]),
    )
    for (const [index, stored] of files.entries()) {
      if (index % FILES_A_TURN === 0) await nextTurn()
      if (known.get(stored.name) !== stored.sha256) continue
      linkStored(join(folder, release, stored.name), join(staging(id), stored.name))
      set.add(stored)
    }
    return set
  }

  return {
    place: releasesDir,
    folder: releasesDir,
    uploads: openUploadFolder(join(releasesDir, UPLOADS)),
    async list() {
      const ids = await listReleaseIds(releasesDir)
      return Promise.all(
        ids.map(async (id) => {
          const replacedAtMs = await readReplacedAtMs(releasesDir, id)
          return { ...keptRelease(id), ...(replacedAtMs !== null && { replacedAtMs }) }
        }),
      )
    },
    async readPointer(known) {
      const now = await pointer()
      return known?.version === now.version && known.id === now.id ? known : now
    },
    async movePointer(id, from) {
      await mkdir(releasesDir, { recursive: true })
      await using _lock = await lockFolder(releasesDir)
      if ((await pointer()).version !== from.version) return false
      await movePointer(releasesDir, id)
      return true
    },
    async readManifest(id) {
      return readFile(join(releasesDir, id, 'manifest.json')).catch(() => {
        throw new ReleaseError('release_missing', [problemOf('no_manifest', id)])
      })
    },
    async openBlob(id, stored) {
      const file = join(releasesDir, id, stored.name)
      await stat(file).catch(() => {
        throw new ReleaseError('release_missing', [problemOf('release_lacks_file', id, stored.name)])
      })
      return Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>
    },
    async findMissing(id, files, blobSource) {
      await mkdir(join(staging(id), BLOBS), { recursive: true })
      const unset = await findUnset(id, files)
      const folders = blobSource?.folder === undefined ? [releasesDir] : [releasesDir, blobSource.folder]
      return setAside(id, unset, folders)
    },
    async putPieces(id, stored, pieces) {
      const target = join(staging(id), stored.name)
      await mkdir(dirname(target), { recursive: true })
      await copyChecked(pieces, stored, target) // synced with all the others, before the release gets its name
    },
    async putBlob(id, stored, file) {
      const target = join(staging(id), stored.name)
      await mkdir(dirname(target), { recursive: true })
      await rm(target, { force: true })
      const { sha256 } = await copyDurably(file, target)
      if (sha256 === stored.sha256) return
      await rm(target)
      throw new ReleaseError('manifest_mismatch', [problemOf('other_content', file)])
    },
    async putManifest(id, bytes, known) {
      const folder = staging(id)
      await mkdir(join(folder, BLOBS), { recursive: true })
      const all = known?.all ?? [...allStoredFiles(await readManifestInTurns(bytes, id))]
      const unset = known === undefined ? await findUnset(id, all) : await findAbsent(folder, all)
      const [missing] = await setAside(id, unset, [releasesDir])
      if (missing !== undefined)
        throw new ReleaseError('release_missing', [problemOf('file_not_found', missing.name, id)])
      await syncFiles(
        folder,
        (known?.added ?? all).map(({ name }) => name),
      )
      await rm(join(folder, 'manifest.json'), { force: true })
      await writeDurably(join(folder, 'manifest.json'), bytes)
      await rm(join(releasesDir, id), { recursive: true, force: true }) // a damaged one is written again
      await adoptRelease(releasesDir, folder, id)
    },
    async findLost(id, files) {
      const isThere = statSync(join(releasesDir, id, 'manifest.json'), { throwIfNoEntry: false })?.isFile()
      return isThere === true ? findAbsent(join(releasesDir, id), files) : files
    },
    remove: (id) => rm(join(releasesDir, id), { recursive: true, force: true }),
  }
}

/** Files without a name in the folder; named ones were compared when they got it. */
async function findAbsent(folder: string, files: readonly StoredFile[]): Promise<StoredFile[]> {
  const names = new Set(await readdir(join(folder, BLOBS)))
  return files.filter(({ name }) => !names.has(basename(name)))
}

/** A file that only one process can make; works on a shared file system, where no process sees the others. */
export async function lockFolder(folder: string): Promise<AsyncDisposable> {
  const file = join(folder, LOCK)
  for (;;) {
    try {
      await (await open(file, 'wx')).close()
      return { [Symbol.asyncDispose]: () => rm(file, { force: true }) }
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }))
      // Renamed before it is removed, so that of two who find it stale one fails and neither removes the other's.
      if (Date.now() - mtimeMs > STALE_LOCK_MS) {
        await rename(file, `${file}-${process.pid}`).catch(() => {})
        await rm(`${file}-${process.pid}`, { force: true })
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
