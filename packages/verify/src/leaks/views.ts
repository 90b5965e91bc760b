/** Named characters that HTML serialisers write; all others are written as numbers. */
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
}

/** The text a reader of the page sees, without tags: what a snippet or a feed would carry of it. */
export function htmlText(html: string): string {
  return decodeEntities(html.replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, '').replace(/<[^>]*>/g, ''))
}

/** Undoes the escapes of JSON and JavaScript strings, wherever they stand. */
export function unescapeScript(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\([nrt"'/\\])/g, (_, letter: string) => ({ n: '\n', r: '\r', t: '\t' })[letter] ?? letter)
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(String(hex), 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

/** Undoes percent-encoding byte by byte; what is not an escape stays. */
function percentDecode(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1')
  return Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}

/**
 * The bytes as they came and as a client might read them: percent-decoded, without tags and entities, with
 * string escapes undone. Views equal to an earlier one are left out.
 */
export function viewsOf(bytes: Buffer): Buffer[] {
  const views = [bytes]
  if (bytes.includes('%')) views.push(percentDecode(bytes))
  if (bytes.includes('<') || bytes.includes('&')) views.push(Buffer.from(htmlText(bytes.toString('utf8'))))
  if (bytes.includes('\\')) views.push(Buffer.from(unescapeScript(bytes.toString('utf8'))))
  return views
}
