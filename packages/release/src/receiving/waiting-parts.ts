import { hash } from 'node:crypto'
import { ReleaseError } from '../errors.ts'
import type { StoredBytes } from '../manifest.ts'
import type { UploadPlace } from '../stores/upload-place.ts'
import { problemOf } from '../texts/index.ts'
import { bytesOfPart, type Frame, PART_BYTES, partCount } from '../transfer/frames.ts'

const NAME = /^([0-9a-f]{64})\.(\d{1,7})$/
const nameOf = (sha256: string, part: number) => `${sha256}.${part}`

/** Parts that have arrived, by the file they are of. */
export type Arrived = ReadonlyMap<string, ReadonlySet<number>>

/** Keeps a part until its file is whole. Throws {@link ReleaseError} `manifest_mismatch` for the bytes of another file. */
export async function keepPart(uploads: UploadPlace, frame: Frame): Promise<void> {
  const { sha256, bytes, part, payload } = frame
  if (payload.length !== bytesOfPart(bytes, part)) throw otherBytes(sha256)
  if (partCount(bytes) === 1 && hash('sha256', payload) !== sha256) throw otherBytes(sha256)
  await uploads.write(nameOf(sha256, part), new Uint8Array(payload))
}

const PROVEN = 'proven.'
const SHA256_BYTES = 32
/** More than the proofs of one request are. */
const MAX_PROVEN_BYTES = 1024 * 1024

/** Records files whose possession was proven. */
export async function keepProven(uploads: UploadPlace, sha256s: readonly string[]): Promise<void> {
  const content = Buffer.from(sha256s.join(''), 'hex')
  await uploads.write(PROVEN + hash('sha256', content), new Uint8Array(content))
}

/** The SHA-256 of every file that was proven here since the last sweep. */
export async function listProven(uploads: UploadPlace): Promise<ReadonlySet<string>> {
  const proven = new Set<string>()
  for (const name of await uploads.names(PROVEN)) {
    const content = Buffer.from((await uploads.read(name, MAX_PROVEN_BYTES)) ?? [])
    for (let at = 0; at < content.length; at += SHA256_BYTES)
      proven.add(content.toString('hex', at, at + SHA256_BYTES))
  }
  return proven
}

/** Lists waiting parts, without foreign files. */
export async function listArrived(uploads: UploadPlace, prefix = ''): Promise<Arrived> {
  const arrived = new Map<string, Set<number>>()
  for (const name of await uploads.names(prefix)) {
    const [, sha256 = '', part] = NAME.exec(name) ?? []
    if (part === undefined) continue
    const known = arrived.get(sha256)
    if (known === undefined) arrived.set(sha256, new Set([Number(part)]))
    else known.add(Number(part))
  }
  return arrived
}

/** Tells if every part of a file has arrived. */
export function isWhole({ sha256, bytes }: StoredBytes, arrived: Arrived): boolean {
  const parts = arrived.get(sha256)
  for (let part = 0; part < partCount(bytes); part += 1) if (parts?.has(part) !== true) return false
  return true
}

/** The bytes of a file that is whole, one part after the other. They are not compared with its hash yet. */
export async function* readParts(
  uploads: UploadPlace,
  { sha256, bytes }: StoredBytes,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let part = 0; part < partCount(bytes); part += 1) {
    const content = await uploads.read(nameOf(sha256, part), PART_BYTES)
    if (content === null)
      throw new ReleaseError('release_missing', [problemOf('part_not_there', part, sha256)])
    yield content
  }
}

export async function forgetParts(uploads: UploadPlace, { sha256, bytes }: StoredBytes): Promise<void> {
  for (let part = 0; part < partCount(bytes); part += 1) await uploads.remove(nameOf(sha256, part))
}

/** Removes what has waited for longer than that; returns what is left. */
export async function sweepUploads(
  uploads: UploadPlace,
  beforeMs: number,
): Promise<{ readonly bytes: number; readonly count: number }> {
  const left = { bytes: 0, count: 0 }
  for (const { name, bytes, writtenAtMs } of await uploads.list()) {
    if (writtenAtMs < beforeMs) await uploads.remove(name)
    else {
      left.bytes += bytes
      left.count += 1
    }
  }
  return left
}

function otherBytes(sha256: string): ReleaseError {
  return new ReleaseError('manifest_mismatch', [problemOf('other_bytes', sha256)])
}
