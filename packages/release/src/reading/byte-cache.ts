/** Bytes of small files that are used, bounded by their sum. */
interface ByteCache<T extends Uint8Array> {
  get(key: string): T | undefined
  set(key: string, bytes: T): void
  readonly heldBytes: () => number
}

/**
 * Creates the cache. The oldest bytes leave first, but those that were used since their turn came last stay for
 * another round (second chance): marking a use costs less than moving the entry to the end of the table.
 */
export function createByteCache<T extends Uint8Array>(maxBytes: number): ByteCache<T> {
  const entries = new Map<string, { readonly bytes: T; isUsed: boolean }>()
  let held = 0

  function makeRoom(): void {
    for (const [oldest, entry] of entries) {
      if (held <= maxBytes) break
      entries.delete(oldest)
      if (entry.isUsed) {
        entry.isUsed = false
        entries.set(oldest, entry) // the loop comes by once more
      } else held -= entry.bytes.byteLength
    }
  }
  return {
    heldBytes: () => held,
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entry.isUsed = true
      return entry.bytes
    },
    set(key, bytes) {
      if (bytes.byteLength > maxBytes || entries.has(key)) return
      entries.set(key, { bytes, isUsed: false })
      held += bytes.byteLength
      makeRoom()
    },
  }
}
