import type { IndexedModel } from '../../embeddings/model.ts'
import { cosine, EMBEDDINGS_KEY, packVector, signsLength, signsOf } from '../../format/vectors.ts'
import { NEAREST } from '../../query-constants.ts'
import type { IndexPart } from './parts.ts'

/** A page whose meaning is near a question's. */
export interface Near {
  readonly page: number
  /** From 0, as near as the others that were read, to 1, the nearest. */
  readonly likeness: number
  /** Number of the section that is nearest. */
  readonly section: number
}

/** Pages by the vectors of their passages. */
interface VectorSearch {
  readonly model: IndexedModel
  /** The nearest pages first; none where the vector is of another length than theirs. */
  find(vector: readonly number[], isAllowed: (page: number) => boolean): readonly Near[]
}

/** Cosines of one model lie elsewhere than those of another: what counts is by how much a page is nearer than those that were read. */
function rescale(near: readonly Near[]): Near[] {
  const best = Math.max(...near.map(({ likeness }) => likeness))
  const usual = near.reduce((sum, { likeness }) => sum + likeness, 0) / near.length
  return near
    .map((one) => ({ ...one, likeness: best === usual ? 1 : (one.likeness - usual) / (best - usual) }))
    .filter(({ likeness }) => likeness > 0)
    .sort((a, b) => b.likeness - a.likeness || a.page - b.page)
}

/** The signs of all passages, by which most of them are told to be far. */
interface Signs {
  readonly dimensions: number
  readonly words: Uint16Array
  readonly pages: Uint32Array
}

const BITS = Uint8Array.from({ length: 1 << 16 }, (_, word) => {
  let count = 0
  for (let rest = word; rest > 0; rest &= rest - 1) count += 1
  return count
})

/** Prepares looking on an open index; null where its pages have no vectors. What is held in memory is read when it is first needed. */
export function createVectorSearch(parts: readonly IndexPart[]): VectorSearch | null {
  const stored = parts[0]?.database.prepare('SELECT value FROM meta WHERE key = ?').get(EMBEDDINGS_KEY)?.value
  if (stored === undefined) return null
  const reads = parts.map(({ database, offset }) => ({
    offset,
    all: database.prepare('SELECT id, dimensions, signs FROM vector WHERE dimensions > 0 ORDER BY id'),
    some: database.prepare(
      'SELECT id, sections, bytes FROM vector WHERE id IN (SELECT value FROM json_each(?))',
    ),
  }))
  let signs: Signs | undefined
  return {
    model: JSON.parse(String(stored)),
    find(vector, isAllowed) {
      signs ??= readSigns(reads.flatMap(({ all, offset }) => all.all().map((row) => ({ ...row, offset }))))
      if (vector.length !== signs.dimensions) return []
      const packed = packVector(vector)
      const pages = likeliest(signs, signsOf(packed), isAllowed)
      const near = reads.flatMap(({ some, offset }, at) => {
        const end = reads[at + 1]?.offset ?? Number.POSITIVE_INFINITY
        const own = pages.filter((page) => page > offset && page <= end).map((page) => page - offset)
        return some
          .all(JSON.stringify(own))
          .map((row) => ({ page: Number(row.id) + offset, ...nearestPassage(row, packed) }))
      })
      return rescale(near).slice(0, NEAREST.pages)
    },
  }
}

function readSigns(rows: readonly (Record<string, unknown> & { readonly offset: number })[]): Signs {
  const dimensions = Number(rows[0]?.dimensions ?? 0)
  const length = signsLength(dimensions)
  const known = rows.filter((row) => Number(row.dimensions) === dimensions && row.signs instanceof Uint8Array)
  const passagesOf = ({ signs }: Record<string, unknown>) => (signs as Uint8Array).byteLength / 2 / length
  const count = known.reduce((sum, row) => sum + passagesOf(row), 0)
  const [words, pages] = [new Uint16Array(count * length), new Uint32Array(count)]
  const bytes = new Uint8Array(words.buffer)
  let passage = 0
  for (const row of known) {
    bytes.set(row.signs as Uint8Array, passage * length * 2)
    const end = passage + passagesOf(row)
    pages.fill(Number(row.id) + row.offset, passage, end)
    passage = end
  }
  return { dimensions, words, pages }
}

/** Pages with a passage whose signs differ least, as many as are worth reading. */
function likeliest(
  { dimensions, words, pages }: Signs,
  wanted: Uint16Array,
  isAllowed: (page: number) => boolean,
): readonly number[] {
  const length = signsLength(dimensions)
  const byDistance: number[][] = []
  for (let passage = 0; passage < pages.length; passage += 1) {
    const start = passage * length
    let distance = 0
    for (let at = 0; at < length; at += 1) distance += BITS[(words[start + at] ?? 0) ^ (wanted[at] ?? 0)] ?? 0
    const same = byDistance[distance]
    if (same === undefined) byDistance[distance] = [passage]
    else same.push(passage)
  }
  const found = new Set<number>()
  const asked = new Set<number>()
  for (const passages of byDistance)
    for (const passage of passages ?? []) {
      const page = pages[passage] ?? 0
      if (asked.has(page)) continue
      if (found.size === NEAREST.readPages || asked.size === NEAREST.maxAsked) return [...found]
      asked.add(page)
      if (isAllowed(page)) found.add(page)
    }
  return [...found]
}

function nearestPassage(row: Record<string, unknown>, wanted: Int8Array) {
  const sections: readonly number[] = JSON.parse(String(row.sections))
  const { buffer, byteOffset, byteLength } = row.bytes as Uint8Array
  const bytes = new Int8Array(buffer, byteOffset, byteLength)
  let best = { likeness: -1, section: 0 }
  for (const [at, section] of sections.entries()) {
    const likeness = cosine(wanted, bytes, at * wanted.length)
    if (likeness > best.likeness) best = { likeness, section }
  }
  return best
}
