import { hash } from 'node:crypto'

/**
 * Block sums of a slightly changed file, so that the sender needs no old copy (Tridgell, "The rsync algorithm", 1996): a rolling sum and
 * the first bytes of SHA-256. The whole file's hash always decides; these only save bytes.
 */
const WEAK_BYTES = 4
const STRONG_BYTES = 8
const ENTRY_BYTES = WEAK_BYTES + STRONG_BYTES

/** A large file gets larger blocks: those of SQLite's pages, which keep their places. */
export function blockBytesFor(fileBytes: number): number {
  return fileBytes > 4 * 1024 * 1024 ? 4_096 : 1_024
}

/** The entries of some bytes, which begin at the start of a block; what is left over at the end has none. */
export function describeBlocks(bytes: Uint8Array, blockBytes: number): Buffer<ArrayBuffer> {
  const count = Math.floor(bytes.length / blockBytes)
  const entries = Buffer.allocUnsafe(count * ENTRY_BYTES)
  for (let index = 0; index < count; index += 1) {
    const block = bytes.subarray(index * blockBytes, (index + 1) * blockBytes)
    entries.writeUInt32LE(weakSum(block), index * ENTRY_BYTES)
    strongSum(block).copy(entries, index * ENTRY_BYTES + WEAK_BYTES)
  }
  return entries
}

/** A stretch of the new file: bytes the receiver has from `from` on, or bytes that have to be sent. */
export type Stretch =
  | { readonly kind: 'copy'; readonly from: number; readonly bytes: number }
  | { readonly kind: 'literal'; readonly at: number; readonly bytes: number }

/** Finds what of `target` the receiver has; the stretches follow each other without a gap. */
export function compareWithBlocks(
  target: Uint8Array,
  entries: Buffer,
  blockBytes: number,
): readonly Stretch[] {
  const blocks = new Map<number, number[]>()
  for (let index = 0; (index + 1) * ENTRY_BYTES <= entries.length; index += 1) {
    const weak = entries.readUInt32LE(index * ENTRY_BYTES)
    const known = blocks.get(weak)
    if (known === undefined) blocks.set(weak, [index])
    else if (known.length < MAX_TWINS) known.push(index)
  }
  const stretches: Stretch[] = []
  let sent = 0 // everything before is in a stretch
  let at = 0
  let sum = new RollingSum(target, 0, blockBytes)
  while (at + blockBytes <= target.length) {
    const candidates = blocks.get(sum.value)
    const index =
      candidates === undefined ? undefined : findEqual(target, at, blockBytes, candidates, entries)
    if (index === undefined) {
      sum.roll()
      at += 1
      continue
    }
    if (at > sent) stretches.push({ kind: 'literal', at: sent, bytes: at - sent })
    addCopy(stretches, index * blockBytes, blockBytes)
    at += blockBytes
    sent = at
    sum = new RollingSum(target, at, blockBytes)
  }
  if (sent < target.length) stretches.push({ kind: 'literal', at: sent, bytes: target.length - sent })
  return stretches
}

/** Of blocks alike, as empty pages of a database are, a few are enough. */
const MAX_TWINS = 4

function findEqual(
  target: Uint8Array,
  at: number,
  blockBytes: number,
  candidates: readonly number[],
  entries: Buffer,
): number | undefined {
  const strong = strongSum(target.subarray(at, at + blockBytes))
  return candidates.find((index) => {
    const begin = index * ENTRY_BYTES + WEAK_BYTES
    return strong.equals(entries.subarray(begin, begin + STRONG_BYTES))
  })
}

function addCopy(stretches: Stretch[], from: number, bytes: number): void {
  const last = stretches.at(-1)
  if (last?.kind === 'copy' && last.from + last.bytes === from) {
    stretches[stretches.length - 1] = { kind: 'copy', from: last.from, bytes: last.bytes + bytes }
  } else stretches.push({ kind: 'copy', from, bytes })
}

function strongSum(block: Uint8Array): Buffer {
  return hash('sha256', block, 'buffer').subarray(0, STRONG_BYTES)
}

function weakSum(block: Uint8Array): number {
  return new RollingSum(block, 0, block.length).value
}

/** The sum of a window, which moves on by a byte without being recomputed. */
class RollingSum {
  readonly #bytes: Uint8Array
  readonly #window: number
  #at: number
  #low = 0
  #high = 0

  constructor(bytes: Uint8Array, at: number, window: number) {
    this.#bytes = bytes
    this.#window = window
    this.#at = at
    const end = Math.min(bytes.length, at + window)
    for (let index = at; index < end; index += 1) {
      this.#low = (this.#low + (bytes[index] ?? 0)) & 0xffff
      this.#high = (this.#high + this.#low) & 0xffff
    }
  }

  get value(): number {
    return ((this.#high << 16) | this.#low) >>> 0
  }

  roll(): void {
    const out = this.#bytes[this.#at] ?? 0
    const into = this.#bytes[this.#at + this.#window] ?? 0
    this.#low = (this.#low - out + into) & 0xffff
    this.#high = (this.#high - this.#window * out + this.#low) & 0xffff
    this.#at += 1
  }
}
