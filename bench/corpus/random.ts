/** A seeded source of numbers, so that a corpus is the same bytes on every machine. */
export interface Random {
  /** A whole number in `[from, to]`. */
  between(from: number, to: number): number
  /** One of the given values. */
  pick<T>(values: readonly [T, ...T[]]): T
  /** True with the given probability. */
  chance(probability: number): boolean
}

/** mulberry32: 32 bits of state are plenty for prose, and the sequence is the same in every engine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: (values) => values[Math.floor(next() * values.length)] ?? values[0],
    chance: (probability) => next() < probability,
  }
}
