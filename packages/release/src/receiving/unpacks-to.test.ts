import { hash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { ReleaseError } from '../errors.ts'
import { unpacksTo } from './unpacks-to.ts'

const MIB = 1024 * 1024
const PACK = {
  br: (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: gzipSync,
  zstd: (bytes: Buffer) => zstdCompressSync(bytes),
}
const fileOf = (plain: Buffer) => ({ sha256: hash('sha256', plain), bytes: plain.length })
async function* inPieces(packed: Buffer) {
  for (let at = 0; at < packed.length; at += 1_000) yield packed.subarray(at, at + 1_000)
}

it.each(['br', 'gzip', 'zstd'] as const)('%s: the file itself, and nothing else', async (encoding) => {
  const plain = Buffer.from('本文'.repeat(5_000))
  const packed = PACK[encoding](plain)
  const isSame = (one: Buffer, file = fileOf(plain)) => unpacksTo(file, encoding, inPieces(one))
  expect(await isSame(packed)).toBe(true)
  expect(await isSame(PACK[encoding](Buffer.from('本々'.repeat(5_000))))).toBe(false)
  expect(await isSame(PACK[encoding](plain.subarray(1)))).toBe(false)
  expect(await isSame(packed.subarray(0, packed.length >> 1))).toBe(false)
  expect(await isSame(Buffer.from('no such thing'))).toBe(false)
  expect(await isSame(packed, { ...fileOf(plain), bytes: plain.length - 1 })).toBe(false)
})

it.each(['br', 'gzip', 'zstd'] as const)('%s: 160 MB are compared a piece at a time', async (encoding) => {
  const plain = Buffer.alloc(160 * MIB)
  const [file, packed] = [fileOf(plain), PACK[encoding](plain)]
  const { arrayBuffers: before } = process.memoryUsage()
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers - before)), 1)
  expect(await unpacksTo(file, encoding, inPieces(packed))).toBe(true)
  clearInterval(watch)
  expect(most).toBeLessThan(100 * MIB) // pieces that are not collected yet count, too
})

it('a store that fails is no other file', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.of(1)
    throw new ReleaseError('store_unavailable', ['away'])
  }
  await expect(unpacksTo(fileOf(Buffer.from('x')), 'gzip', failing())).rejects.toThrow('away')
})
