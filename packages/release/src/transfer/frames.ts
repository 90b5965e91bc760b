import { createHmac, type Hmac } from 'node:crypto'
import type { Stretch } from './blocks.ts'

/** Files are sent in parts of so many bytes, two to a request; the last one is shorter. */
export const PART_BYTES = 448 * 1024
/** Frames of one request together, uncompressed. */
export const MAX_BATCH_BYTES = 960 * 1024
/** Limit of the parts of one request together, those included that are put together from what is there. */
export const MAX_UNFOLDED_BYTES = 32 * 1024 * 1024

/**
 * Marks a frame, in place of a base, whose payload is a {@link createProof} over the whole file: possession shown by publishers who may not
 * learn what is here.
 */
export const PROOF = 'f'.repeat(64)

/** The keyed hash that shows who has a file; the key is known to both and different each time. */
export function createProof(key: string): Hmac {
  return createHmac('sha256', key)
}

/** One part of a file on its way, or a proof of having it. */
export interface Frame {
  /** Of the whole file, lower-case hex. */
  readonly sha256: string
  /** Of the whole file. */
  readonly bytes: number
  /** Index of the part, from 0. */
  readonly part: number
  /** SHA-256 of the file whose bytes it copies; null where `payload` is the part itself. */
  readonly base: string | null
  /** The part, or a list of {@link Stretch} with the bytes of the literal ones. */
  readonly payload: Uint8Array
}

/** sha256, base, bytes, part, length of the payload. */
const HEADER_BYTES = 32 + 32 + 6 + 4 + 4
const NO_BASE = Buffer.alloc(32)
const COPY = 1
const LITERAL = 2

export function frameBytes({ payload }: Pick<Frame, 'payload'>): number {
  return HEADER_BYTES + payload.length
}

export function partCount(fileBytes: number): number {
  return Math.max(1, Math.ceil(fileBytes / PART_BYTES))
}

/** Bytes that a receiver handles for a frame. */
export function bytesBehind({ bytes, part, base }: Omit<Frame, 'payload'>): number {
  return base === PROOF ? bytes : bytesOfPart(bytes, part)
}

/** Length of a part of a file. */
export function bytesOfPart(fileBytes: number, part: number): number {
  return Math.min(PART_BYTES, fileBytes - part * PART_BYTES)
}

export function writeFrames(frames: readonly Frame[]): Buffer {
  return Buffer.concat(
    frames.flatMap((frame) => {
      const header = Buffer.alloc(HEADER_BYTES)
      header.write(frame.sha256, 0, 'hex')
      if (frame.base !== null) header.write(frame.base, 32, 'hex')
      header.writeUIntLE(frame.bytes, 64, 6)
      header.writeUInt32LE(frame.part, 70)
      header.writeUInt32LE(frame.payload.length, 74)
      return [header, frame.payload]
    }),
  )
}

/** Null when the bytes are no whole frames. */
export function readFrames(bytes: Buffer): readonly Frame[] | null {
  const frames: Frame[] = []
  for (let at = 0; at < bytes.length; ) {
    if (at + HEADER_BYTES > bytes.length) return null
    const begin = at + HEADER_BYTES
    const end = begin + bytes.readUInt32LE(at + 74)
    if (end > bytes.length) return null
    const frame = {
      sha256: bytes.toString('hex', at, at + 32),
      bytes: bytes.readUIntLE(at + 64, 6),
      part: bytes.readUInt32LE(at + 70),
      base: bytes.subarray(at + 32, at + 64).equals(NO_BASE) ? null : bytes.toString('hex', at + 32, at + 64),
      payload: bytes.subarray(begin, end),
    }
    if (frame.part >= partCount(frame.bytes)) return null
    frames.push(frame)
    at = end
  }
  return frames
}

/** The frames of a whole file, of which the receiver has something to copy from. */
export function* framesOf(
  target: { readonly sha256: string; readonly content: Uint8Array; readonly base: string },
  stretches: readonly Stretch[],
): Generator<Frame> {
  const { sha256, content, base } = target
  const queue = [...stretches].reverse()
  for (let part = 0; part < partCount(content.length); part += 1) {
    const pieces: Buffer[] = []
    for (let room = bytesOfPart(content.length, part); room > 0; ) {
      const stretch = queue.pop()
      if (stretch === undefined) throw new RangeError('the stretches do not make up the file')
      const bytes = Math.min(room, stretch.bytes)
      if (stretch.bytes > bytes) queue.push(shorten(stretch, bytes))
      pieces.push(...writeStretch(stretch, bytes, content))
      room -= bytes
    }
    yield { sha256, bytes: content.length, part, base, payload: Buffer.concat(pieces) }
  }
}

function shorten(stretch: Stretch, by: number): Stretch {
  const bytes = stretch.bytes - by
  return stretch.kind === 'copy'
    ? { kind: 'copy', from: stretch.from + by, bytes }
    : { kind: 'literal', at: stretch.at + by, bytes }
}

function writeStretch(stretch: Stretch, bytes: number, content: Uint8Array): Buffer[] {
  if (stretch.kind === 'literal') {
    const header = Buffer.alloc(5)
    header.writeUInt8(LITERAL, 0)
    header.writeUInt32LE(bytes, 1)
    return [header, Buffer.from(content.subarray(stretch.at, stretch.at + bytes))]
  }
  const op = Buffer.alloc(11)
  op.writeUInt8(COPY, 0)
  op.writeUIntLE(stretch.from, 1, 6)
  op.writeUInt32LE(bytes, 7)
  return [op]
}

/**
 * Puts a part together. Null when the list is damaged, or makes another length than the part has.
 * @param readBase reads bytes of the file that is copied from; fewer where that ends before
 */
export async function unfoldPart(
  { payload, bytes, part }: Frame,
  readBase: (from: number, bytes: number) => Promise<Uint8Array>,
): Promise<Uint8Array | null> {
  const list = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
  const whole = Buffer.alloc(bytesOfPart(bytes, part))
  let filled = 0
  for (let at = 0; at < list.length; ) {
    const isCopy = list[at] === COPY
    const headerBytes = isCopy ? 11 : 5
    if ((!isCopy && list[at] !== LITERAL) || at + headerBytes > list.length) return null
    const length = list.readUInt32LE(at + headerBytes - 4)
    if (filled + length > whole.length) return null
    const piece = isCopy
      ? await readBase(list.readUIntLE(at + 1, 6), length)
      : list.subarray(at + headerBytes, at + headerBytes + length)
    if (piece.length !== length || length === 0) return null
    whole.set(piece, filled)
    filled += length
    at += headerBytes + (isCopy ? 0 : length)
  }
  return filled === whole.length ? whole : null
}
