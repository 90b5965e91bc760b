import { hash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { createMessages } from '@sekisho/contract/language'
import type { PlanResponse, ReleaseServed, UseRequest } from '@sekisho/contract/publishing'
import {
  allStoredFiles,
  bytesBehind,
  bytesOfPart,
  createProof,
  type Frame,
  frameBytes,
  MAX_BATCH_BYTES,
  MAX_HANDLED_BYTES,
  PART_BYTES,
  partCount,
  readManifest,
  type StoredFile,
  writeFrames,
} from '@sekisho/release'
import { TEXTS } from '../../texts/index.ts'
import { type PortalClient, PortalError } from './portal-client.ts'

const messageOf = createMessages(TEXTS, 'publishing')

const AT_ONCE = 4
/** Another gate may have received the rest meanwhile. */
const ROUNDS = 6
/** A larger file is sent: a proof makes its receiver read the whole of it for one request. */
const MAX_PROVEN_BYTES = MAX_HANDLED_BYTES / 2
const compress = promisify(zstdCompress)

/** Called after each accepted batch, with bytes of files before compression. */
type OnProgress = (sentBytes: number, totalBytes: number) => void

/** Sends what the portal lacks of a release, and has it served. Throws {@link PortalError}. */
export async function sendRelease(
  portal: PortalClient,
  releasesDir: string,
  { id, widen }: UseRequest,
  onProgress: OnProgress = () => {},
): Promise<ReleaseServed> {
  const folder = join(releasesDir, id)
  const manifestBytes = await readFile(join(folder, 'manifest.json'))
  const files = [...allStoredFiles(readManifest(manifestBytes, id))]
  const own = { name: 'manifest.json', sha256: hash('sha256', manifestBytes), bytes: manifestBytes.length }
  const request = { id, sha256: own.sha256, bytes: own.bytes }
  const send = async (batch: readonly Frame[]) =>
    portal.sendParts(new Uint8Array(await compress(writeFrames(batch))))

  let mayProve = portal.takesProofs
  for (let round = 1; round <= ROUNDS; round += 1) {
    const plan = await portal.plan(request)
    if (!plan.isManifestHere) {
      await sendAll(partsOf(folder, [own], {}), send)
      continue
    }
    if (mayProve) {
      mayProve = false
      await sendAll(proofsOf(folder, unsentOf(files, plan), portal.ticket), send)
      continue // of what is lent for them nothing is asked again
    }
    const unsent = [...unsentOf(files, plan)]
    const totalBytes = unsent.reduce((sum, stored) => sum + missingBytes(stored, plan), 0)
    let sentBytes = 0
    await sendAll(partsOf(folder, unsent, plan.arrived), async (batch) => {
      await send(batch)
      sentBytes += batch.reduce((sum, frame) => sum + bytesBehind(frame), 0)
      onProgress(sentBytes, totalBytes)
    })
    const answer = await portal.commit({ ...request, from: portal.served, ...(widen === true && { widen }) })
    if (answer.state === 'served') return answer
  }
  throw new PortalError(messageOf('missing_again'))
}

/** Each once. */
function unsentOf(files: readonly StoredFile[], { unsent }: PlanResponse): Iterable<StoredFile> {
  const found = unsent.flatMap((index) => files[index] ?? [])
  return new Map(found.map((stored) => [stored.sha256, stored])).values()
}

/** Bytes of a file's parts that have not arrived. */
function missingBytes({ sha256, bytes }: StoredFile, { arrived }: PlanResponse): number {
  const here = new Set(arrived[sha256])
  return [...here].reduce((left, part) => left - bytesOfPart(bytes, part), bytes)
}

/** Proves possession of files without learning which ones the portal has. */
async function* proofsOf(folder: string, files: Iterable<StoredFile>, key: string): AsyncGenerator<Frame> {
  for (const { name, sha256, bytes } of files) {
    if (bytes > MAX_PROVEN_BYTES) continue
    const payload = createProof(key)
      .update(await readFile(join(folder, name)))
      .digest()
    yield { sha256, bytes, part: 0, kind: 'proof', payload }
  }
}

/** The parts of files that have not arrived. */
async function* partsOf(
  folder: string,
  files: Iterable<StoredFile>,
  arrived: PlanResponse['arrived'],
): AsyncGenerator<Frame> {
  for (const { name, sha256, bytes } of files) {
    const here = new Set(arrived[sha256])
    await using file = await open(join(folder, name))
    for (let part = 0; part < partCount(bytes); part += 1) {
      if (here.has(part)) continue
      const payload = Buffer.alloc(bytesOfPart(bytes, part))
      await file.read(payload, 0, payload.length, part * PART_BYTES)
      yield { sha256, bytes, part, kind: 'part', payload }
    }
  }
}

/** Sends frames together, several requests at a time. */
async function sendAll(frames: AsyncIterable<Frame>, send: (batch: readonly Frame[]) => Promise<void>) {
  const sending = new Set<Promise<void>>()
  let batch: Frame[] = []
  let size = { bytes: 0, unfolded: 0 }
  const flush = async () => {
    if (batch.length === 0) return
    const sent = send(batch).finally(() => sending.delete(sent))
    sending.add(sent)
    sent.catch(() => {}) // awaited below
    batch = []
    size = { bytes: 0, unfolded: 0 }
    if (sending.size >= AT_ONCE) await Promise.race(sending)
  }
  for await (const frame of frames) {
    const bytes = frameBytes(frame)
    const unfolded = bytesBehind(frame)
    if (size.bytes + bytes > MAX_BATCH_BYTES || size.unfolded + unfolded > MAX_HANDLED_BYTES / 2)
      await flush()
    batch.push(frame)
    size = { bytes: size.bytes + bytes, unfolded: size.unfolded + unfolded }
  }
  await flush()
  await Promise.all(sending)
}
