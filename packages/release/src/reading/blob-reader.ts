import { createHash, hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { StoredBytes } from '../manifest.ts'
import { createByteCache } from './byte-cache.ts'

/** A stored file is not what the manifest says; it must not be sent. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError'
  readonly code = 'file_damaged'
}

/** Some bytes of a file, whole in memory or as a stream. */
type Bytes = Uint8Array<ArrayBuffer>
export type Body = Bytes | ReadableStream<Bytes>

/** Reads stored files, each checked against its hash before any byte of it is given out. */
export interface BlobReader {
  /** The whole bytes, if they are at hand: most answers need not wait. */
  held(stored: StoredBytes): Bytes | undefined
  /** The bytes from `first` up to and including `last`. Throws {@link DamagedFileError}. */
  read(file: string, stored: StoredBytes, part?: { first: number; last: number }): Promise<Body>
  /** Checks without reading out; for HEAD. Throws {@link DamagedFileError}. */
  check(file: string, stored: StoredBytes): Promise<void>
}

export interface BlobReaderOptions {
  /** Files up to this size are read whole and kept while there is room. */
  readonly maxHeldBytes?: number
  readonly maxCacheBytes?: number
}

const CHUNK_BYTES = 64 * 1024

/** Creates a reader with bounded memory: the cache, and one chunk for each stream under way. */
export function createBlobReader({
  maxHeldBytes = 256 * 1024,
  maxCacheBytes = 12 * 1024 * 1024,
}: BlobReaderOptions = {}): BlobReader {
  const cache = createByteCache<Bytes>(maxCacheBytes)
  const reading = new Map<string, Promise<Bytes>>()
  const checked = new Map<string, Promise<boolean>>()

  async function readSmall(file: string, stored: StoredBytes): Promise<Bytes> {
    const known = cache.get(stored.sha256)
    if (known !== undefined) return known
    const pending = reading.get(file) ?? readWhole(file, stored).finally(() => reading.delete(file))
    reading.set(file, pending)
    const bytes = await pending
    cache.set(stored.sha256, bytes)
    return bytes
  }

  /** Large files are hashed once as long as the file stays the same one on disk. */
  async function openChecked(file: string, stored: StoredBytes): Promise<FileHandle> {
    const handle = await openStored(file)
    try {
      const { ino, size, mtimeNs } = await handle.stat({ bigint: true })
      const key = `${file} ${ino} ${size} ${mtimeNs}`
      const verdict = checked.get(key) ?? hashStream(handle).then((sha256) => sha256 === stored.sha256)
      checked.set(key, verdict)
      if (!(await verdict)) throw damaged(file)
      return handle
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  return {
    held: ({ sha256 }) => cache.get(sha256),
    async read(file, stored, part) {
      const { first, last } = part ?? { first: 0, last: stored.bytes - 1 }
      if (stored.bytes > maxHeldBytes) {
        await (await openChecked(file, stored)).close() // damage shows now, not in the middle of a response
        return stream(() => openChecked(file, stored), first, last)
      }
      const bytes = await readSmall(file, stored)
      return part === undefined ? bytes : bytes.subarray(first, last + 1)
    },
    async check(file, stored) {
      if (stored.bytes <= maxHeldBytes) await readSmall(file, stored)
      else await (await openChecked(file, stored)).close()
    },
  }
}

function damaged(file: string): DamagedFileError {
  return new DamagedFileError(`${file} does not hold what its manifest says`)
}

/** A missing file is damage; running out of descriptors and the like stay faults. */
async function openStored(file: string): Promise<FileHandle> {
  return open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' || error.code === 'EISDIR' ? damaged(file) : error
  })
}

async function readWhole(file: string, stored: StoredBytes): Promise<Bytes> {
  await using handle = await openStored(file)
  const { size } = await handle.stat()
  if (size !== stored.bytes) throw damaged(file)
  const bytes = await handle.readFile()
  if (hash('sha256', bytes) !== stored.sha256) throw damaged(file)
  return bytes
}

async function hashStream(handle: FileHandle): Promise<string> {
  const digest = createHash('sha256')
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES * 4)
  for (let position = 0; ; ) {
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position)
    if (bytesRead === 0) return digest.digest('hex')
    digest.update(chunk.subarray(0, bytesRead))
    position += bytesRead
  }
}

/**
 * Streams with one chunk in memory. The first read opens the file; the last, a failed one or `cancel` closes it. An unread stream holds no
 * file: the garbage collector ends the process over open ones.
 */
function stream(openFile: () => Promise<FileHandle>, first: number, last: number): ReadableStream<Bytes> {
  let position = first
  let handle: FileHandle | null = null

  async function close(): Promise<void> {
    const opened = handle
    handle = null
    await opened?.close()
  }
  async function readChunk(): Promise<Bytes> {
    handle ??= await openFile()
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, last - position + 1))
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position)
    // Shorter than it was when it was checked: better a broken response than a silent part.
    if (bytesRead === 0) throw new DamagedFileError('a file became shorter while it was sent')
    return chunk.subarray(0, bytesRead)
  }

  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        try {
          const chunk = await readChunk()
          position += chunk.length
          controller.enqueue(chunk)
          if (position <= last) return
          await close()
          controller.close()
        } catch (error) {
          await close()
          throw error
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  )
}
