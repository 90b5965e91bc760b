/** The index file is missing, damaged, of another format, or not the one the release names. */
export class IndexMismatchError extends Error {
  override readonly name = 'IndexMismatchError'
  readonly code = 'ERR_INDEX_MISMATCH'
}
