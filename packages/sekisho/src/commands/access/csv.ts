/** Beginning of a formula to a spreadsheet, also behind blanks (OWASP, CSV Injection). */
const FORMULA = /^[\s\p{Cf}]*[=+\-@|%＝＋－＠]/u

/**
 * One line of CSV (RFC 4180), without its end. No cell is read as a formula: one that could be begins with an apostrophe, and what
 * ends lines or is not shown is replaced.
 */
export function csvLine(cells: readonly string[]): string {
  return cells.map((cell) => `"${safe(cell).replaceAll('"', '""')}"`).join(',')
}

/** A file of these lines, which spreadsheets read as UTF-8. */
export const csvFile = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => `${csvLine(row)}\r\n`).join('')}`

function safe(cell: string): string {
  const shown = cell.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '�')
  return FORMULA.test(cell) || shown.startsWith('�') ? `'${shown}` : shown
}
