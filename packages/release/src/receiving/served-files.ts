import { hash, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  allStoredFiles,
  type Manifest,
  type ReleaseFile,
  type StoredFile,
  searchIndexes,
} from '../manifest.ts'
import { loadManifest, readPointer } from '../release-store.ts'
import { blockBytesFor, describeBlocks } from '../transfer/blocks.ts'
import { createProof, type Frame } from '../transfer/frames.ts'
import type { IncomingRelease } from './incoming-release.ts'
import type { ReadBase } from './waiting-parts.ts'

/** A file smaller than that is sent whole. */
const MIN_BASE_BYTES = 64 * 1024
const READ_BYTES = 256 * 1024

/** The files of the release that this machine serves, as what new ones are told by. */
export interface ServedFiles {
  /** The manifest itself; null when nothing is served. */
  manifest(): Promise<StoredFile | null>
  /** Files of an incoming release that have a version here, with that, by SHA-256. */
  findBases(
    release: IncomingRelease,
    unsent: readonly StoredFile[],
  ): Promise<Readonly<Record<string, string>>>
  /** A block size (4 bytes) and the entries; null when there is no such file. */
  describe(sha256: string): Promise<Buffer<ArrayBuffer> | null>
  readBase: ReadBase
  /** Tells if a frame proves possession of a file, by a hash with that key. */
  isProven(frame: Frame, key: string): Promise<boolean>
}

interface Served {
  readonly id: string
  readonly manifest: Manifest
  readonly own: StoredFile
  readonly bySha256: ReadonlyMap<string, StoredFile>
}

/** @param inMemory the manifest that the gate serves, which is not read again where it is of the release that is pointed to */
export function openServedFiles(
  releasesDir: string,
  inMemory: () => Manifest | null | Promise<Manifest | null>,
): ServedFiles {
  let known: Served | null = null

  async function served(): Promise<Served | null> {
    const id = await readPointer(releasesDir).catch(() => null)
    if (id === null) return null
    if (known?.id !== id) known = await load(id).catch(() => null)
    return known
  }
  async function load(id: string): Promise<Served> {
    const atHand = await inMemory()
    const manifest = atHand?.id === id ? atHand : await loadManifest(releasesDir, id)
    const file = join(releasesDir, id, 'manifest.json')
    const own = await describeFile(file)
    const bySha256 = new Map([...allStoredFiles(manifest)].map((stored) => [stored.sha256, stored]))
    return { id, manifest, own, bySha256: bySha256.set(own.sha256, own) }
  }
  async function fileOf(sha256: string, bytes?: number): Promise<string | null> {
    const release = await served()
    const stored = release?.bySha256.get(sha256)
    if (release === null || stored === undefined || stored.bytes !== (bytes ?? stored.bytes)) return null
    return join(releasesDir, release.id, stored.name)
  }

  return {
    manifest: async () => (await served())?.own ?? null,
    async findBases({ manifest }, unsent) {
      const release = await served()
      if (release === null) return {}
      const wanted = new Set(
        unsent.filter(({ bytes }) => bytes >= MIN_BASE_BYTES).map(({ sha256 }) => sha256),
      )
      const pairs = versionsOf(manifest, release.manifest).filter(([now]) => wanted.has(now.sha256))
      return Object.fromEntries(pairs.map(([now, before]) => [now.sha256, before.sha256]))
    },
    async describe(sha256) {
      const file = await fileOf(sha256)
      return file === null ? null : describeBlocksOf(file)
    },
    async readBase(sha256) {
      const file = await fileOf(sha256)
      if (file === null) return null
      return async (from, bytes) => {
        await using handle = await open(file)
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, from)
        return buffer.subarray(0, bytesRead)
      }
    },
    async isProven({ sha256, bytes, payload }, key) {
      const file = await fileOf(sha256, bytes) // of the first bytes alone there are proofs, too
      if (file === null) return false
      const proof = createProof(key)
      for await (const piece of createReadStream(file, { highWaterMark: READ_BYTES })) proof.update(piece)
      const right = proof.digest()
      return payload.length === right.length && timingSafeEqual(payload, right)
    },
  }
}

async function describeFile(file: string): Promise<StoredFile> {
  await using handle = await open(file)
  const bytes = await handle.readFile()
  return { name: 'manifest.json', sha256: hash('sha256', bytes), bytes: bytes.length }
}

/** Files at the same place in both releases. */
function versionsOf(
  now: Manifest,
  before: Manifest,
): (readonly [ReleaseFile | StoredFile, ReleaseFile | StoredFile])[] {
  return now.editions.flatMap((edition) => {
    const other = before.editions.find(({ name }) => name === edition.name)
    if (other === undefined) return []
    const indexes = searchIndexes(edition).map((index, at) => [index, searchIndexes(other)[at]] as const)
    const files = [...edition.files].map(([path, file]) => [file, other.files.get(path)] as const)
    return [...indexes, ...files].flatMap(([one, two]) => (two === undefined ? [] : [[one, two] as const]))
  })
}

/** A large file is read in pieces, between which others have their turn. */
async function describeBlocksOf(file: string): Promise<Buffer<ArrayBuffer>> {
  await using handle = await open(file)
  const { size } = await handle.stat()
  const blockBytes = blockBytesFor(size)
  const header = Buffer.alloc(4)
  header.writeUInt32LE(blockBytes)
  const entries: Buffer<ArrayBuffer>[] = [header]
  const piece = Buffer.alloc(READ_BYTES)
  for (let at = 0; at < size; at += READ_BYTES) {
    const { bytesRead } = await handle.read(piece, 0, READ_BYTES, at)
    entries.push(describeBlocks(piece.subarray(0, bytesRead), blockBytes))
    await nextTurn()
  }
  return Buffer.concat(entries)
}
