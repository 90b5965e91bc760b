import { canonicalPath, encodePath } from '@sekisho/contract/canonical-path'
import type { Message } from '@sekisho/contract/language'
import { isReservedPath } from '@sekisho/contract/routes'
import { problemOf } from './texts/index.ts'

const FORBIDDEN =
  /[\p{Cc}\p{Zl}\p{Zp}\u{FFFD}\u{200B}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2060}\u{2066}-\u{2069}\u{FEFF}]/u
/** Most paths of a release; anything else is looked at piece by piece. A segment begins with a letter or digit. */
const PLAIN = /^(?:\/[A-Za-z0-9][A-Za-z0-9_.-]*)+\/?$/

/**
 * Says why a decoded request path cannot be a key of a release, or null when it can.
 * There is one accepted form of a name, so that no two requests mean the same file.
 */
export function findPathProblem(path: string): Message | null {
  if (PLAIN.test(path) && !isReservedPath(path)) return null
  if (!path.startsWith('/')) return problemOf('no_slash')
  if (!path.isWellFormed() || FORBIDDEN.test(path)) return problemOf('forbidden_character')
  if (path.normalize('NFC') !== path) return problemOf('not_composed')
  if (/[\\%?#;]/.test(path)) return problemOf('ambiguous_character')
  if (path.includes('//')) return problemOf('empty_segment')
  if (path.split('/').some((segment) => segment === '.' || segment === '..')) return problemOf('dot_segment')
  if (isReservedPath(path)) return problemOf('reserved')
  // The gate's own reading of paths has the last word.
  const isCanonical = canonicalPath(`http://release.invalid${encodePath(path)}`) === path
  return isCanonical ? null : problemOf('no_canonical_form')
}

/** Splits a redirect target into its path and the `#fragment` that may follow. */
export function splitTarget(target: string): { path: string; fragment: string } {
  const at = target.indexOf('#')
  return at === -1
    ? { path: target, fragment: '' }
    : { path: target.slice(0, at), fragment: target.slice(at) }
}
