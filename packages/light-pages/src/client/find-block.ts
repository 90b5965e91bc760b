import type { TableIndex } from '../wire.ts'

/** File of the last block whose first address is not after the key; null when every block begins later. */
export function findBlock(index: TableIndex, key: string): string | null {
  let low = 0
  let high = index.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((index[middle]?.[0] ?? '') <= key) low = middle + 1
    else high = middle
  }
  return index[low - 1]?.[1] ?? null
}
