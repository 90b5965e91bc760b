/** DEL, C1 controls, line separators and bidirectional overrides: JSON leaves them bare, terminals obey them. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** JSON on one line in which no character can move a cursor, end a line or reorder text. */
export function plainJson(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replace(
    UNSAFE,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Printable ASCII that stands in JSON as it is. */
const BARE = /^[ !#-[\]-~]*$/

declare const kind: unique symbol

/** Members of a JSON object, each after a comma, for an object whose first member is spelled already. */
export type JsonMembers = string & { readonly [kind]: 'JsonMembers' }

/**
 * Spells members. Most values of log and audit trail need nothing but quotes. The names of `fields` are ours and stand as
 * they are; what is undefined is left out.
 */
export function plainJsonMembers(fields: Readonly<Record<string, unknown>>): JsonMembers {
  let text = ''
  for (const name in fields) {
    const value = fields[name]
    if (value !== undefined) text += `,"${name}":${plainJsonValue(value)}`
  }
  return text as JsonMembers
}

/** JSON of one value as `plainJson` spells it, sooner for what needs nothing but quotes. */
export function plainJsonValue(value: unknown): string {
  if (typeof value === 'string' && BARE.test(value)) return `"${value}"`
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return plainJson(value)
}
