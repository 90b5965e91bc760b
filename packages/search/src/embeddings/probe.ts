import { cosine, packVector } from '../format/vectors.ts'

/** The same model gives nearly the same vector again, on another machine too; another one gives another. */
const MIN_LIKENESS = 0.98

/** A vector of the probe as an index keeps it. */
export const probeOf = (vector: readonly number[]): string =>
  Buffer.from(packVector(vector).buffer).toString('base64')

/** Tells if a vector of the probe comes from the model of an index. */
export function isSameModel(probe: string, vector: readonly number[]): boolean {
  const bytes = Buffer.from(probe, 'base64')
  const known = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return known.length === vector.length && cosine(packVector(vector), known, 0) >= MIN_LIKENESS
}
