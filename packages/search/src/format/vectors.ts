/**
 * Vectors of passages, eight bits a dimension, in the table `vector`: a row per page, all passages' vectors in `bytes`, and in `signs` the
 * signs of their first dimensions, which preselect the nearest.
 */
export const VECTOR_TABLE = `CREATE TABLE IF NOT EXISTS vector (
  id INTEGER PRIMARY KEY, hash TEXT NOT NULL, dimensions INTEGER NOT NULL, sections TEXT NOT NULL,
  signs BLOB NOT NULL, bytes BLOB NOT NULL
)`

/** Key in `meta` of the model, for an index that has vectors. */
export const EMBEDDINGS_KEY = 'embeddings'

/** Of so many dimensions the signs are compared; a multiple of 16. */
const SIGNS = 512
const LARGEST = 127

/** Each dimension as a share of the largest one: the length of a vector means nothing. */
export function packVector(vector: readonly number[]): Int8Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1
  return Int8Array.from(vector, (value) => Math.round((value / largest) * LARGEST))
}

/** Number of integers that the signs of a vector take. */
export const signsLength = (dimensions: number): number => Math.ceil(Math.min(SIGNS, dimensions) / 16)

/** The signs of a vector, sixteen in a number. */
export function signsOf(vector: Int8Array): Uint16Array {
  const signs = new Uint16Array(signsLength(vector.length))
  for (let at = 0; at < Math.min(SIGNS, vector.length); at += 1)
    if ((vector[at] ?? 0) > 0) signs[at >> 4] = (signs[at >> 4] ?? 0) | (1 << (at & 15))
  return signs
}

/** Cosine similarity of two vectors, from -1 to 1; `start` is the offset of the second among several. */
export function cosine(one: Int8Array, others: Int8Array, start: number): number {
  let [product, square, otherSquare] = [0, 0, 0]
  for (let at = 0; at < one.length; at += 1) {
    const [value, other] = [one[at] ?? 0, others[start + at] ?? 0]
    product += value * other
    square += value * value
    otherSquare += other * other
  }
  return product / (Math.sqrt(square * otherSquare) || 1)
}
