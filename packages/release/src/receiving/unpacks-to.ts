import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib'
import { ReleaseError } from '../errors.ts'
import type { Encoding, StoredBytes } from '../manifest.ts'

/** Browsers take no larger window of zstd either (RFC 9659); a decoder would allot 128 MB for one. */
const ZSTD_WINDOW_BITS = 23

const UNPACK = {
  br: createBrotliDecompress,
  gzip: createGunzip,
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_BITS } }),
}

/** Tells if compressed bytes unpack to a file's; reads no further than its length, one chunk at a time. */
export async function unpacksTo(
  { sha256, bytes }: StoredBytes,
  encoding: Encoding,
  packed: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  const digest = createHash('sha256')
  let left = bytes
  try {
    await pipeline(packed, UNPACK[encoding](), async (pieces: AsyncIterable<Uint8Array>) => {
      for await (const piece of pieces) {
        left -= piece.length
        if (left < 0) throw new RangeError('longer than the file')
        digest.update(piece)
      }
    })
  } catch (error) {
    const isOfStore = error instanceof ReleaseError || (error instanceof Error && 'syscall' in error)
    if (isOfStore) throw error
    return false
  }
  return left === 0 && digest.digest('hex') === sha256
}
