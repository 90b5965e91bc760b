import { hash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from '../durable-files.ts'
import { readText, type S3Client } from './s3-client.ts'

/** Something that waits to become part of a release. */
interface WaitingUpload {
  readonly name: string
  readonly bytes: number
  /** Milliseconds since the epoch. */
  readonly writtenAtMs: number
}

/**
 * Small named pieces of what is being sent, where the releases are: whichever gate receives a request finds what others have received.
 * Names are letters, digits, dots and hyphens, and begin with no dot.
 */
export interface UploadPlace {
  write(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>
  /** Null when there is none. */
  read(name: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null>
  /** The names that begin so, in any order. */
  names(prefix: string): Promise<readonly string[]>
  /** Everything, with its size and age. */
  list(): Promise<readonly WaitingUpload[]>
  remove(name: string): Promise<void>
}

/**
 * A private part of the waiting place: one publisher's uploads are not for others who know their hash.
 * @param owner any text; equal texts share the part
 */
export function ownUploads(uploads: UploadPlace, owner: string): UploadPlace {
  const corner = `own-${hash('sha256', owner).slice(0, 32)}-`
  const isOwn = (name: string) => name.startsWith(corner)
  const short = (name: string) => name.slice(corner.length)
  return {
    write: (name, bytes) => uploads.write(corner + name, bytes),
    read: (name, maxBytes) => uploads.read(corner + name, maxBytes),
    names: async (prefix) => (await uploads.names(corner + prefix)).map(short),
    list: async () =>
      (await uploads.list())
        .filter(({ name }) => isOwn(name))
        .map((one) => ({ ...one, name: short(one.name) })),
    remove: (name) => uploads.remove(corner + name),
  }
}

export function openUploadFolder(folder: string): UploadPlace {
  return {
    async write(name, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const temporary = join(folder, `.${name}-${randomBytes(6).toString('hex')}`)
      await writeFile(temporary, bytes, { flag: 'wx', mode: 0o600 }) // not synced: whoever takes it compares its hash
      await rename(temporary, join(folder, name))
    },
    async read(name, maxBytes) {
      const file = join(folder, name)
      const bytes = await readFile(file).catch(orNull)
      return bytes === null || bytes.length > maxBytes ? null : bytes
    },
    async names(prefix) {
      return ((await readdir(folder).catch(orNull)) ?? []).filter((name) => name.startsWith(prefix))
    },
    async list() {
      const names = (await readdir(folder).catch(orNull)) ?? []
      const found: WaitingUpload[] = []
      for (const name of names) {
        // Those that begin with a dot are being written; a crash may leave them, so they are listed, too.
        const file = await stat(join(folder, name)).catch(orNull)
        if (file !== null) found.push({ name, bytes: file.size, writtenAtMs: file.mtimeMs })
      }
      return found
    },
    remove: (name) => rm(join(folder, name), { force: true }),
  }
}

export function openUploadBucket(client: S3Client, prefix: string): UploadPlace {
  return {
    async write(name, bytes) {
      await client.put(prefix + name, { content: bytes, sha256: hash('sha256', bytes) }, null)
    },
    async read(name, maxBytes) {
      const answer = await client.get(prefix + name)
      return answer instanceof Response ? new Uint8Array(await readText(answer, maxBytes)) : null
    },
    names: async (begin) => (await client.list(prefix + begin)).map((key) => key.slice(prefix.length)),
    async list() {
      const objects = await client.listObjects(prefix)
      return objects.map(({ key, ...rest }) => ({ ...rest, name: key.slice(prefix.length) }))
    },
    remove: (name) => client.delete(prefix + name),
  }
}

function orNull(error: unknown): null {
  if (isErrno(error, 'ENOENT')) return null
  throw error
}
