/**
 * Pages and impacts of a term, packed for the table `posting`. Pages are numbered in blocks; an entry per block and term lists 16-bit
 * numbers, page above, impact below. A changed page touches one small row per term.
 */
const IMPACT_BITS = 6
const PLACE_BITS = 16 - IMPACT_BITS

/** The largest impact; 0 is no impact. */
export const MAX_IMPACT = 2 ** IMPACT_BITS - 1

const BLOCK_PAGES = 2 ** PLACE_BITS

/** A page and its impact, from 1 to {@link MAX_IMPACT}. */
export type Posting = readonly [page: number, impact: number]

/** The block a page belongs to. */
export const blockOf = (page: number): number => Math.floor(page / BLOCK_PAGES)

/** Adds and removes pages of one block in what is stored of a term; null when none are left. */
export function updateBlock(
  stored: unknown,
  added: readonly Posting[],
  removed: ReadonlySet<number>,
): Uint8Array | null {
  const kept: number[] = []
  for (const entry of entriesOf(stored)) if (!removed.has(entry >> IMPACT_BITS)) kept.push(entry)
  for (const [page, impact] of added) kept.push(((page % BLOCK_PAGES) << IMPACT_BITS) | impact)
  if (kept.length === 0) return null
  const bytes = new DataView(new ArrayBuffer(kept.length * 2))
  for (const [at, entry] of kept.sort((a, b) => a - b).entries()) bytes.setUint16(at * 2, entry, true)
  return new Uint8Array(bytes.buffer)
}

/** Calls back with every page of a block's entry. */
export function readBlock(
  stored: unknown,
  block: number,
  onPage: (page: number, impact: number) => void,
): void {
  const first = block * BLOCK_PAGES
  for (const entry of entriesOf(stored)) onPage(first + (entry >> IMPACT_BITS), entry & MAX_IMPACT)
}

/** A page's place in its block, as `updateBlock` wants those to remove. */
export const placeOf = (page: number): number => page % BLOCK_PAGES

function entriesOf(stored: unknown): Uint16Array {
  if (!(stored instanceof Uint8Array)) return new Uint16Array(0)
  const { buffer, byteOffset, byteLength } = stored
  if (byteOffset % 2 === 0) return new Uint16Array(buffer, byteOffset, byteLength / 2)
  return new Uint16Array(buffer.slice(byteOffset, byteOffset + byteLength))
}
