/** Selected bytes: all, one range (both ends included), or none because none of them exist. */
export type RangeChoice =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly first: number; readonly last: number }
  | { readonly kind: 'unsatisfiable' }

const WHOLE: RangeChoice = { kind: 'whole' }
/** More ranges than any player asks for; such a header is not worth reading. */
const MAX_RANGES = 64

/**
 * Reads a `Range` header for a file of `size` bytes (RFC 9110 §14.2). A malformed one is ignored, as is another
 * unit; several satisfiable ranges are answered with the whole file, which the RFC allows and no player minds.
 */
export function chooseRange(header: string | null, size: number): RangeChoice {
  const list = /^bytes=(.*)$/i.exec(header ?? '')?.[1]
  if (list === undefined) return WHOLE
  const specs = list.split(',').map((spec) => spec.trim())
  if (specs.length > MAX_RANGES || !specs.every(isRangeSpec)) return WHOLE
  const parts = specs.map((spec) => resolveSpec(spec, size)).filter((part) => part !== null)
  const [only] = parts
  if (only === undefined) return { kind: 'unsatisfiable' }
  return parts.length === 1 && specs.length === 1 ? { kind: 'part', ...only } : WHOLE
}

function isRangeSpec(spec: string): boolean {
  const match = /^(\d{1,15})?-(\d{1,15})?$/.exec(spec)
  if (match === null) return false
  const [, first, last] = match
  if (first === undefined) return last !== undefined
  return last === undefined || Number(last) >= Number(first)
}

/** The bytes a well-formed spec means, or null when the file has none of them. */
function resolveSpec(spec: string, size: number): { first: number; last: number } | null {
  const [from = '', to = ''] = spec.split('-')
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? null : { first: size - length, last: size - 1 }
  }
  const first = Number(from)
  if (first >= size) return null
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}
