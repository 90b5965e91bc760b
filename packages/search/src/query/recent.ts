/** Remembers what was read last, up to a total weight. */
export interface Recent<Value> {
  get(key: number): Value | undefined
  set(key: number, value: Value, weight: number): void
}

/** Makes a memory that forgets what was not asked for longest (least recently used). */
export function createRecent<Value>(maxWeight: number): Recent<Value> {
  const entries = new Map<number, { readonly value: Value; readonly weight: number }>()
  let total = 0
  const forget = (key: number): void => {
    total -= entries.get(key)?.weight ?? 0
    entries.delete(key)
  }
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      entries.set(key, entry) // insertion order is order of use
      return entry.value
    },
    set(key, value, weight) {
      forget(key)
      entries.set(key, { value, weight })
      total += weight
      for (const oldest of entries.keys()) {
        if (total <= maxWeight) break
        forget(oldest)
      }
    },
  }
}
