import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { copyDurably, holds, isErrno, linkStored, syncFiles, writeDurably } from '../durable-files.ts'
import { ReleaseError } from '../errors.ts'
import { allStoredFiles, BLOBS, type StoredFile } from '../manifest.ts'
import { readManifest } from '../manifest-json.ts'
import { adoptRelease, listReleaseIds, movePointer, readPointer, readReplacedAtMs } from '../release-store.ts'
import { keptRelease, type Pointer, type ReleaseStore } from './store.ts'

const LOCK = '.pointer-lock'
const DAMAGED = 'damaged'
/** The pointer is moved in milliseconds; a lock this old is of a process that died. */
const STALE_LOCK_MS = 10_000

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

  /** Where the folder has these very bytes: in the release under way, or in one it keeps. */
  async function find(id: string, stored: StoredFile): Promise<string | null> {
    const kept = (await listReleaseIds(releasesDir)).map((release) => join(releasesDir, release, stored.name))
    for (const file of [join(staging(id), stored.name), ...kept]) if (await holds(file, stored)) return file
    return null
  }

  return {
    place: releasesDir,
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
        throw new ReleaseError('release_missing', [`release ${id} has no readable manifest.json`])
      })
    },
    async openBlob(id, stored) {
      const file = join(releasesDir, id, stored.name)
      await stat(file).catch(() => {
        throw new ReleaseError('release_missing', [`release ${id} lacks ${stored.name}`])
      })
      return Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>
    },
    async findMissing(id, files) {
      const missing: StoredFile[] = []
      for (const stored of files) if ((await find(id, stored)) === null) missing.push(stored)
      return missing
    },
    async putBlob(id, stored, file) {
      const target = join(staging(id), stored.name)
      await mkdir(dirname(target), { recursive: true })
      await rm(target, { force: true })
      const { sha256 } = await copyDurably(file, target)
      if (sha256 === stored.sha256) return
      await rm(target)
      throw new ReleaseError('manifest_mismatch', [`${file} does not hold what its manifest says`])
    },
    async putManifest(id, bytes) {
      const folder = staging(id)
      await mkdir(join(folder, BLOBS), { recursive: true })
      for (const stored of allStoredFiles(readManifest(bytes, id))) {
        const file = await find(id, stored)
        if (file === null)
          throw new ReleaseError('release_missing', [`${stored.name} of release ${id} is not there`])
        if (file !== join(folder, stored.name)) linkStored(file, join(folder, stored.name))
      }
      await syncFiles(join(folder, BLOBS))
      await rm(join(folder, 'manifest.json'), { force: true })
      await writeDurably(join(folder, 'manifest.json'), bytes)
      await rm(join(releasesDir, id), { recursive: true, force: true }) // a damaged one is made anew
      await adoptRelease(releasesDir, folder, id)
    },
    remove: (id) => rm(join(releasesDir, id), { recursive: true, force: true }),
  }
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
