import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import type { Encoding } from '../../manifest.ts'

/** One way to compress; its name is a folder of the cache, so another level never answers for this one. */
export interface Recipe {
  readonly encoding: Encoding
  readonly level: number
  readonly name: string
}

const KIB = 1024
/** Below this a compressed file saves no packet; above it compressing holds too much memory. */
const MIN_BYTES = 256
const MAX_BYTES = 32 * KIB * KIB

/**
 * Compression effort by benefit (decisions/020): files of several pages get brotli 11; pages and their own chunks, thousands that change
 * with each build, get level 7: a sixtieth of the time, a tenth more bytes.
 */
export function recipesFor(bytes: number, isShared: boolean): readonly Recipe[] {
  if (bytes < MIN_BYTES || bytes > MAX_BYTES) return []
  const level = isShared && bytes <= KIB * KIB ? 11 : 7
  return [recipe('br', level), recipe('zstd', 3), recipe('gzip', 4)]
}

/** Encodings of a page's Markdown: agents read it plain inside JSON, direct requests get brotli. */
export function markdownRecipes(bytes: number): readonly Recipe[] {
  return recipesFor(bytes, false).filter(({ encoding }) => encoding === 'br')
}

function recipe(encoding: Encoding, level: number): Recipe {
  return { encoding, level, name: `${encoding}-${level}` }
}

/** Compresses on the calling thread; null when the result is not clearly smaller. */
export function compress(bytes: Uint8Array, { encoding, level }: Recipe): Uint8Array | null {
  const packed = run(bytes, encoding, level)
  return packed.length <= bytes.length * 0.95 ? packed : null
}

/** Both encoders are told the length: without it they allot tables for megabytes, which cost 20 ms a page. */
function run(bytes: Uint8Array, encoding: Encoding, level: number): Uint8Array {
  if (encoding === 'gzip') return gzipSync(bytes, { level })
  if (encoding === 'zstd') {
    const params = { [constants.ZSTD_c_compressionLevel]: level }
    return zstdCompressSync(bytes, { pledgedSrcSize: bytes.length, params })
  }
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: level,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    [constants.BROTLI_PARAM_LGWIN]: windowBits(bytes.length),
  }
  return brotliCompressSync(bytes, { params })
}

/** The smallest brotli window that spans the whole input, within what every decoder accepts. */
function windowBits(bytes: number): number {
  return Math.min(22, Math.max(10, Math.ceil(Math.log2(bytes + 16))))
}
