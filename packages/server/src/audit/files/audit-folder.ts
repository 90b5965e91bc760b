import { constants, existsSync, mkdirSync, readdirSync, type Stats, statSync } from 'node:fs'
import { type FileHandle, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuditPlaces } from '../../storage/data-folder.ts'
import { isoTime } from '../../storage/lines/iso-time.ts'
import {
  atMsOf,
  CHAIN_START,
  type ChainHead,
  type FileHeader,
  fileHeaderLine,
  readFileHeader,
  readLink,
} from '../chain/audit-chain.ts'
import type { AuditBatch } from '../chain/audit-queue.ts'
import type { AuditStore, ChainEnd } from '../chain/audit-store.ts'
import { readFirstLine, readLastLine, repairEnd } from './audit-file-end.ts'

/** The chain of the gate on one machine. */
export const GATE_CHAIN = 'gate'

interface AuditFolderOptions {
  readonly places: AuditPlaces
  readonly chain: string
  readonly now: () => number
  /** A file that holds so much is followed by the next one, as is one that was begun a day ago. */
  readonly maxFileBytes?: number
}

/** Fault of stored lines that differ from the written ones: a file was cut or replaced while in use. */
export class AuditDamagedError extends Error {
  override readonly name = 'AuditDamagedError'
  readonly code = 'audit_damaged'
}

const NUMBERED = /^([a-z0-9-]{1,60})-(\d{6,9})\.jsonl$/
const MAX_FILE_BYTES = 64 * 1024 * 1024
const MAX_FILE_AGE_MS = 86_400_000
const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants

/** A file of a chain. */
export interface AuditFile {
  readonly name: string
  readonly number: number
}

/** Every chain in a folder with its files in order. */
export function listAuditFiles(folder: string): ReadonlyMap<string, readonly AuditFile[]> {
  const chains = new Map<string, AuditFile[]>()
  const add = (chain: string, file: AuditFile) => chains.set(chain, [...(chains.get(chain) ?? []), file])
  for (const name of readdirSync(folder).sort()) {
    const [, chain, number] = NUMBERED.exec(name) ?? []
    if (chain !== undefined) add(chain, { name, number: Number(number) })
  }
  for (const files of chains.values()) files.sort((a, b) => a.number - b.number)
  return chains
}

/** The file that lines go to. */
interface OpenFile {
  readonly path: string
  readonly number: number
  readonly begunMs: number
  /** Bytes certainly on the disk. */
  bytes: number
  /** Its inode, once it is there. */
  ino: number | null
}

/** Opens one chain in a folder. What follows its last whole line is removed. */
export function openAuditFolder(options: AuditFolderOptions): AuditStore {
  const { places, chain, now, maxFileBytes = MAX_FILE_BYTES } = options
  for (const folder of [places.lines, places.heads]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const pathOf = (file: AuditFile) => join(places.lines, file.name)
  const listOwn = () => listAuditFiles(places.lines).get(chain) ?? []
  const end = findEnd(listOwn().map(pathOf))
  let head = end.head
  let current = continueLast()
  let isLeft = false

  function continueLast(): OpenFile | null {
    const last = listOwn().at(-1)
    if (last === undefined) return null
    const { size, ino } = statSync(pathOf(last))
    const header = readFileHeader(readFirstLine(pathOf(last)))
    const begunMs = header === null ? now() : Date.parse(header.at)
    return { path: pathOf(last), number: last.number, begunMs, bytes: size, ino }
  }
  function nextFile(): OpenFile {
    const number = (current?.number ?? 0) + 1
    const name = `${chain}-${String(number).padStart(6, '0')}.jsonl`
    return { path: join(places.lines, name), number, begunMs: now(), bytes: 0, ino: null }
  }
  function isFull({ bytes, begunMs }: OpenFile): boolean {
    return bytes >= maxFileBytes || now() - begunMs >= MAX_FILE_AGE_MS
  }

  /** The file that lines go to next. */
  function fileOf(): OpenFile {
    if (current === null || isFull(current)) current = nextFile()
    return current
  }
  function bytesOf(file: OpenFile, { lines }: AuditBatch): Buffer {
    const header: FileHeader = { chain, file: file.number, after: head, at: isoTime(file.begunMs) }
    return Buffer.from((file.bytes === 0 ? fileHeaderLine(header) : '') + lines.join(''))
  }
  const openFile = ({ path, bytes }: OpenFile) =>
    open(path, O_RDWR | O_NOFOLLOW | (bytes === 0 ? O_CREAT : 0), 0o600)

  async function append(batch: AuditBatch): Promise<void> {
    const file = fileOf()
    const bytes = bytesOf(file, batch)
    await using handle = await openFile(file)
    const found = await handle.stat()
    assertWhole(file, found)
    // What a failed attempt left is written again, not only synced again: a sync that failed forgets what it did not write.
    if (found.size > file.bytes && !isLeft) await handle.truncate(file.bytes)
    await writeWhole(handle, bytes, file)
    await handle.datasync()
    if (file.bytes === 0) await syncFolder(places.lines)
    file.bytes += bytes.length
    file.ino = found.ino
    head = batch.head
  }
  /**
   * Leaves lines that hang in `append` where they are or continues with the rest: overwriting a page on its way to the disk can block.
   * Lines appended already, or while the file opens, are left out.
   */
  async function leave({ lines, head: last }: AuditBatch): Promise<void> {
    isLeft = true
    const file = fileOf()
    const from = file.bytes
    const bytes = bytesOf(file, { lines: lines.slice(lines.length - (last.seq - head.seq)), head: last })
    await using handle = await openFile(file)
    const found = await handle.stat()
    assertWhole(file, found)
    await writeWhole(handle, bytes.subarray(found.size - from), { ...file, bytes: found.size })
  }

  return {
    end,
    append,
    leave,
    readHeads: () => readHeads(places.heads),
    async writeHead(signed) {
      const path = join(places.heads, `${chain}.json`)
      const temporary = `${path}.tmp`
      await using handle = await open(temporary, 'w', 0o600)
      await handle.writeFile(signed)
      await handle.datasync()
      await rename(temporary, path)
      await syncFolder(places.heads)
    },
    async findRemovable(beforeMs) {
      const [oldest, next] = listOwn()
      if (oldest === undefined || next === undefined) return null
      const lastLine = readLastLine(pathOf(oldest))
      const link = readLink(lastLine)
      return link !== null && atMsOf(lastLine) < beforeMs ? { seq: link.seq, hash: link.hash } : null
    },
    async remove(upTo) {
      for (const file of listOwn().slice(0, -1)) {
        const link = readLink(readLastLine(pathOf(file)))
        if (link === null || link.seq > upTo.seq) return
        await rm(pathOf(file))
      }
    },
  }
}

function assertWhole({ path, bytes, ino }: OpenFile, found: Stats): void {
  if ((ino === null || ino === found.ino) && found.size >= bytes) return
  throw new AuditDamagedError(`${path} was cut or replaced while it was in use`)
}

async function writeWhole(
  handle: FileHandle,
  bytes: Uint8Array,
  { path, bytes: at }: OpenFile,
): Promise<void> {
  const { bytesWritten } = await handle.write(bytes, 0, bytes.length, at)
  if (bytesWritten < bytes.length) throw new Error(`${path} took a part of what was written`)
}

/** The newest signed head of each chain of a folder. */
export async function readHeads(folder: string): Promise<readonly string[]> {
  const names = existsSync(folder) ? (await readdir(folder)).filter((name) => name.endsWith('.json')) : []
  return Promise.all(names.sort().map((name) => readFile(join(folder, name), 'utf8')))
}

/**
 * Finds the last link. A last line that is altered leaves no head to continue from: the chain starts over behind
 * it, and `sekisho audit verify` names the altered line.
 */
function findEnd(paths: readonly string[]): ChainEnd {
  let cutBytes = 0
  const before = paths[0] === undefined ? CHAIN_START : findBefore(paths[0])
  for (const path of [...paths].reverse()) {
    const { lastLine, cutBytes: cut } = repairEnd(path)
    cutBytes += cut
    if (lastLine === '') continue
    const head = readLink(lastLine) ?? readFileHeader(lastLine)?.after ?? CHAIN_START
    return { head: { seq: head.seq, hash: head.hash }, before, lastLine, cutBytes }
  }
  return { head: CHAIN_START, before, lastLine: '', cutBytes }
}

function findBefore(path: string): ChainHead {
  return readFileHeader(readFirstLine(path))?.after ?? CHAIN_START
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return // a folder cannot be opened there; its names are journalled
  await using handle = await open(folder, 'r')
  await handle.sync()
}
