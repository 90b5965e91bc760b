/** Length of the shortest run of protected bytes that counts as a leak. */
export const WINDOW_BYTES = 24
/** A window of fewer distinct bytes (spaces, dashes, zeros) says nothing about where it came from. */
const MIN_DISTINCT_BYTES = 4

const BASE_A = 0x01000193
const BASE_B = 0x9e3779b1
const TOP_A = power(BASE_A, WINDOW_BYTES)
const TOP_B = power(BASE_B, WINDOW_BYTES)

function power(base: number, exponent: number): number {
  let value = 1
  for (let count = 0; count < exponent; count += 1) value = Math.imul(value, base)
  return value
}

/**
 * Calls `visit` with two 32-bit hashes and the start of every 24-byte window of the bytes. The hashes roll
 * (Rabin–Karp), so the cost per byte does not depend on the window's length.
 */
export function visitWindows(bytes: Buffer, visit: (a: number, b: number, start: number) => void): void {
  let a = 0
  let b = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const entering = (bytes[at] ?? 0) + 1
    const leaving = at < WINDOW_BYTES ? 0 : (bytes[at - WINDOW_BYTES] ?? 0) + 1
    a = (Math.imul(a, BASE_A) + entering - Math.imul(leaving, TOP_A)) | 0
    b = (Math.imul(b, BASE_B) + entering - Math.imul(leaving, TOP_B)) | 0
    if (at >= WINDOW_BYTES - 1) visit(a, b, at - WINDOW_BYTES + 1)
  }
}

/** Tells if a window is varied enough to be evidence. */
export function isEvidence(bytes: Buffer, start: number): boolean {
  return new Set(bytes.subarray(start, start + WINDOW_BYTES)).size >= MIN_DISTINCT_BYTES
}

/** A map from windows (their two hashes) to small numbers, kept in flat arrays: 12 bytes per entry. */
export class WindowTable {
  #a = new Int32Array(1024)
  #b = new Int32Array(1024)
  #value = new Int32Array(1024)
  size = 0

  /** The value stored for the window, or -1. */
  get(a: number, b: number): number {
    return (this.#value[this.#slot(a, b)] ?? 0) - 1
  }

  /** Stores a value (0 or more) unless the window has one. */
  add(a: number, b: number, value: number): void {
    if (this.size * 2 >= this.#value.length) this.#grow()
    const slot = this.#slot(a, b)
    if (this.#value[slot] !== 0) return
    this.#a[slot] = a
    this.#b[slot] = b
    this.#value[slot] = value + 1
    this.size += 1
  }

  clear(): void {
    this.#value.fill(0)
    this.size = 0
  }

  #slot(a: number, b: number): number {
    const mask = this.#value.length - 1
    const mixed = Math.imul(Math.imul(a ^ (b >>> 16), 0x2c1b3c6d) ^ b, 0x297a2d39)
    let slot = (mixed ^ (mixed >>> 15)) & mask
    while (this.#value[slot] !== 0 && (this.#a[slot] !== a || this.#b[slot] !== b)) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const [a, b, value] = [this.#a, this.#b, this.#value]
    this.#a = new Int32Array(a.length * 2)
    this.#b = new Int32Array(a.length * 2)
    this.#value = new Int32Array(a.length * 2)
    this.size = 0
    value.forEach((stored, slot) => {
      if (stored !== 0) this.add(a[slot] ?? 0, b[slot] ?? 0, stored - 1)
    })
  }
}
