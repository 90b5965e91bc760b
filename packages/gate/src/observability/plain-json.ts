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

/**
 * Members of a JSON object, each after a comma, for an object whose first member is spelled already. A line of the
 * log is spelled for every request, and most of its values need nothing but quotes. The names of `fields` are ours
 * and stand as they are.
 */
export function plainJsonMembers(fields: Readonly<Record<string, unknown>>): string {
  let text = ''
  for (const name in fields) {
    const value = fields[name]
    if (value !== undefined) text += `,"${name}":${spellValue(value)}`
  }
  return text
}

function spellValue(value: unknown): string {
  if (typeof value === 'string' && BARE.test(value)) return `"${value}"`
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return plainJson(value)
}
