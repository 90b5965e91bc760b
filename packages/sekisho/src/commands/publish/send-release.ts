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
  compareWithBlocks,
  createProof,
  type Frame,
  frameBytes,
  framesOf,
  MAX_BATCH_BYTES,
  MAX_UNFOLDED_BYTES,
  PART_BYTES,
  PROOF,
  partCount,
  readManifest,
  type StoredFile,
  writeFrames,
} from '@sekisho/release'
import { TEXTS } from '../../texts/index.ts'
import { type PortalClient, PortalError } from './portal-client.ts'

const messageOf = createMessages(TEXTS, 'publishing')

const AT_ONCE = 4
/** Another gate may have received the rest, or the release that files are told by may have been replaced meanwhile. */
const ROUNDS = 6
/** A larger file is sent whole: it is held in memory to be compared. */
const MAX_COMPARED_BYTES = 512 * 1024 * 1024
/** Limit of proofs, above which files are sent: comparing a proof reads the whole file for one request. */
const MAX_PROVEN_BYTES = MAX_UNFOLDED_BYTES / 2
const compress = promisify(zstdCompress)

/** Sends what the portal lacks of a release, and has it served. Throws {@link PortalError}. */
export async function sendRelease(
  portal: PortalClient,
  releasesDir: string,
  { id, widen }: UseRequest,
): Promise<ReleaseServed> {
  const folder = join(releasesDir, id)
  const manifestBytes = await readFile(join(folder, 'manifest.json'))
  const files = [...allStoredFiles(readManifest(manifestBytes, id))]
  const own = { name: 'manifest.json', sha256: hash('sha256', manifestBytes), bytes: manifestBytes.length }
  const request = { id, sha256: own.sha256, bytes: own.bytes }
  let mayCompare = true
  const send = async (batch: readonly Frame[]) => {
    try {
      await portal.sendParts(new Uint8Array(await compress(writeFrames(batch))))
    } catch (error) {
      if (!isBaseMissing(error)) throw error
      mayCompare = false // the next round sends them whole
    }
  }

  const sendManifest = (base: string | null) =>
    sendAll(framesFor(portal, folder, [own], baseTable(own, base), {}), send)
  const known = portal.manifest?.sha256 ?? null
  if (known !== own.sha256) await sendManifest(known)
  let mayProve = portal.takesProofs
  for (let round = 1; round <= ROUNDS; round += 1) {
    const plan = await portal.plan(request)
    if (!plan.isManifestHere) {
      await sendManifest(null)
      continue
    }
    if (mayProve) {
      mayProve = false
      await sendAll(proofsOf(folder, unsentOf(files, plan), portal.ticket), send)
      continue // of what is lent for them nothing is asked again
    }
    await sendUnsent({ portal, folder, files, send }, mayCompare ? plan : { ...plan, bases: {} })
    const answer = await portal.commit({ ...request, from: portal.served, ...(widen === true && { widen }) })
    if (answer.state === 'served') return answer
  }
  throw new PortalError(messageOf('missing_again'))
}

const baseTable = ({ sha256 }: StoredFile, base: string | null): Readonly<Record<string, string>> =>
  base === null ? {} : { [sha256]: base }

interface Sending {
  readonly portal: PortalClient
  readonly folder: string
  readonly files: readonly StoredFile[]
  readonly send: (batch: readonly Frame[]) => Promise<void>
}

async function sendUnsent({ portal, folder, files, send }: Sending, plan: PlanResponse): Promise<void> {
  await sendAll(framesFor(portal, folder, unsentOf(files, plan), plan.bases, plan.arrived), send)
}

/** Each once. */
function unsentOf(files: readonly StoredFile[], { unsent }: PlanResponse): Iterable<StoredFile> {
  const found = unsent.flatMap((index) => files[index] ?? [])
  return new Map(found.map((stored) => [stored.sha256, stored])).values()
}

/** Proves possession of files without learning which ones the portal has. */
async function* proofsOf(folder: string, files: Iterable<StoredFile>, key: string): AsyncGenerator<Frame> {
  for (const { name, sha256, bytes } of files) {
    if (bytes > MAX_PROVEN_BYTES) continue
    const payload = createProof(key)
      .update(await readFile(join(folder, name)))
      .digest()
    yield { sha256, bytes, part: 0, base: PROOF, payload }
  }
}

function isBaseMissing(error: unknown): boolean {
  return error instanceof PortalError && error.refused === 'base_missing'
}

/** The parts of files that have not arrived, told by what the portal has where that is less. */
async function* framesFor(
  portal: PortalClient,
  folder: string,
  files: Iterable<StoredFile>,
  bases: Readonly<Record<string, string>>,
  arrived: PlanResponse['arrived'],
): AsyncGenerator<Frame> {
  for (const stored of files) {
    const base = stored.bytes > MAX_COMPARED_BYTES ? undefined : bases[stored.sha256]
    const here = new Set(arrived[stored.sha256])
    const frames = base === undefined ? null : await compare(portal, folder, stored, base)
    for await (const frame of frames ?? wholeParts(folder, stored, here)) {
      if (!here.has(frame.part)) yield frame
    }
  }
}

async function compare(portal: PortalClient, folder: string, stored: StoredFile, base: string) {
  try {
    const described = await portal.blocksOf(base)
    const content = await readFile(join(folder, stored.name))
    const stretches = compareWithBlocks(content, described.subarray(4), described.readUInt32LE(0))
    return framesOf({ sha256: stored.sha256, content, base }, stretches)
  } catch (error) {
    if (isBaseMissing(error)) return null
    throw error
  }
}

async function* wholeParts(
  folder: string,
  stored: StoredFile,
  here: ReadonlySet<number>,
): AsyncGenerator<Frame> {
  const { sha256, bytes } = stored
  await using file = await open(join(folder, stored.name))
  for (let part = 0; part < partCount(bytes); part += 1) {
    if (here.has(part)) continue
    const payload = Buffer.alloc(bytesOfPart(bytes, part))
    await file.read(payload, 0, payload.length, part * PART_BYTES)
    yield { sha256, bytes, part, base: null, payload }
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
    if (size.bytes + bytes > MAX_BATCH_BYTES || size.unfolded + unfolded > MAX_UNFOLDED_BYTES / 2)
      await flush()
    batch.push(frame)
    size = { bytes: size.bytes + bytes, unfolded: size.unfolded + unfolded }
  }
  await flush()
  await Promise.all(sending)
}
