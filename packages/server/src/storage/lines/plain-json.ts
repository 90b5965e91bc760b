/** DEL, C1 controls, line separators and bidirectional overrides: JSON leaves them bare, terminals obey them. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** JSON, on one line unless it is indented, in which no character can move a cursor, end a line or reorder text. */
export function plainJson(value: unknown, indent = 0): string {
  const json = JSON.stringify(value, null, indent) ?? 'null'
  if (json.search(UNSAFE) === -1) return json // most, and a replacement that replaces nothing costs three times as much
  return json.replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
