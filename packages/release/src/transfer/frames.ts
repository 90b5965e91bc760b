import { createHmac, type Hmac } from 'node:crypto'

/** Files are sent in parts of so many bytes, two to a request; the last one is shorter. */
export const PART_BYTES = 448 * 1024
/** Frames of one request together, uncompressed. */
export const MAX_BATCH_BYTES = 960 * 1024
/** Limit of the bytes that the frames of one request make the receiver handle, files behind proofs included. */
export const MAX_HANDLED_BYTES = 32 * 1024 * 1024

/** Keyed hash over a whole file: possession shown by publishers who may not learn what is here. */
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
  readonly kind: 'part' | 'proof'
  /** The part, or a {@link createProof} over the whole file. */
  readonly payload: Uint8Array
}

/** SHA-256, kind, bytes, part, length of the payload. */
const HEADER_BYTES = 32 + 1 + 6 + 4 + 4
const KINDS = ['part', 'proof'] as const

export function frameBytes({ payload }: Pick<Frame, 'payload'>): number {
  return HEADER_BYTES + payload.length
}

export function partCount(fileBytes: number): number {
  return Math.max(1, Math.ceil(fileBytes / PART_BYTES))
}

/** Bytes that a receiver handles for a frame. */
export function bytesBehind({ bytes, part, kind }: Omit<Frame, 'payload'>): number {
  return kind === 'proof' ? bytes : bytesOfPart(bytes, part)
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
      header.writeUInt8(KINDS.indexOf(frame.kind), 32)
      header.writeUIntLE(frame.bytes, 33, 6)
      header.writeUInt32LE(frame.part, 39)
      header.writeUInt32LE(frame.payload.length, 43)
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
    const end = begin + bytes.readUInt32LE(at + 43)
    const kind = KINDS[bytes.readUInt8(at + 32)]
    if (end > bytes.length || kind === undefined) return null
    const frame = {
      sha256: bytes.toString('hex', at, at + 32),
      kind,
      bytes: bytes.readUIntLE(at + 33, 6),
      part: bytes.readUInt32LE(at + 39),
      payload: bytes.subarray(begin, end),
    }
    if (frame.part >= partCount(frame.bytes)) return null
    frames.push(frame)
    at = end
  }
  return frames
}
