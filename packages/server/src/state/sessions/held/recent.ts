/** A map that forgets what was set longer ago than `keptMs`, and the oldest where there is too much. */
export function createRecent<Key, Value>(max: number, keptMs: number) {
  const known = new Map<Key, { readonly value: Value; readonly atMs: number }>() // the oldest first
  return {
    has: (key: Key) => known.has(key),
    get: (key: Key) => known.get(key)?.value,
    keys: () => known.keys(),
    values: () => [...known.values()].map(({ value }) => value),
    entries: () => [...known].map(([key, { value }]) => [key, value] as const),
    set(key: Key, value: Value) {
      const atMs = performance.now()
      known.delete(key)
      known.set(key, { value, atMs })
      for (const [oldest, { atMs: setAtMs }] of known) {
        if (known.size <= max && atMs - setAtMs <= keptMs) return
        known.delete(oldest)
      }
    },
  }
}
