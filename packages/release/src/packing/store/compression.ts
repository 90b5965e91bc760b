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
 * How hard to press a compressible file, by where the effort comes back (decisions/020): what several pages load
 * gets brotli 11; pages, and chunks that belong to one of them, are thousands, change with every build and get
 * level 7: a sixtieth of the time for a tenth more bytes.
 */
export function recipesFor(bytes: number, isShared: boolean): readonly Recipe[] {
  if (bytes < MIN_BYTES || bytes > MAX_BYTES) return []
  const level = isShared && bytes <= KIB * KIB ? 11 : 7
  return [recipe('br', level), recipe('zstd', 3), recipe('gzip', 4)]
}

/** Of a page's Markdown: agents get it plain inside of JSON, and whoever asks for it alone has brotli. */
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
