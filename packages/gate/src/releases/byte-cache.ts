/** Bytes of the most recently used small files, bounded by their sum. */
export interface ByteCache<T extends Uint8Array> {
  get(key: string): T | undefined
  set(key: string, bytes: T): void
  readonly heldBytes: () => number
}

/** Creates the cache; the least recently used bytes leave first. */
export function createByteCache<T extends Uint8Array>(maxBytes: number): ByteCache<T> {
  const entries = new Map<string, T>()
  let held = 0
  return {
    heldBytes: () => held,
    get(key) {
      const bytes = entries.get(key)
      if (bytes === undefined) return undefined
      entries.delete(key)
      entries.set(key, bytes)
      return bytes
    },
    set(key, bytes) {
      if (bytes.byteLength > maxBytes || entries.has(key)) return
      entries.set(key, bytes)
      held += bytes.byteLength
      for (const [oldest, old] of entries) {
        if (held <= maxBytes) break
        entries.delete(oldest)
        held -= old.byteLength
      }
    },
  }
}
