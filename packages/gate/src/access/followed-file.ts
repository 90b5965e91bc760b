import { readFileSync, statSync } from 'node:fs'
import { UnavailableError } from '@sekisho/state/unavailable-error'

/**
 * What a file says, from the next call after it was written: one `stat` for each call, one read for each change. A file that cannot be read
 * or understood is an outage, never what it said before.
 * @param read throws where it does not understand the text
 * @param outage what is said of it
 */
export function followedFile<T>(path: string, read: (text: string) => T, outage: string): () => T {
  let known: { readonly stamp: string; readonly value: T } | null = null
  return () => {
    try {
      const { ino, size, mtimeNs } = statSync(path, { bigint: true })
      const stamp = `${ino}:${size}:${mtimeNs}`
      if (known?.stamp !== stamp) known = { stamp, value: read(readFileSync(path, 'utf8')) }
      return known.value
    } catch (cause) {
      known = null
      throw new UnavailableError('unavailable', outage, { cause })
    }
  }
}
