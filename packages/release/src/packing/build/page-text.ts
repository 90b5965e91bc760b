import { isUtf8 } from 'node:buffer'
import { isXhtmlFile } from './page-names.ts'

/** Browsers look for a declaration in the first 1,024 bytes; comments of a generator may stand before it. */
const PRESCAN_BYTES = 4_096
const META = /(<meta\s[^>]*?charset\s*=\s*["']?\s*)([\w:.-]+)/i
const XML = /(<\?xml\s[^>]*?encoding\s*=\s*["'])([\w:.-]+)/i
const CSS = /(^@charset ")([^"]+)/i
/** Names of Japanese code pages that the Encoding standard does not list. */
const ALIASES: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  eucjp: 'euc-jp',
  'eucjp-ms': 'euc-jp',
}
const BOMS: readonly (readonly [encoding: string, ...bytes: number[]])[] = [
  ['utf-8', 0xef, 0xbb, 0xbf],
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
]
/** Escape sequences by which ISO-2022-JP changes its character set: JIS X 0208, 0201 and katakana. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with ESC
const ISO_2022_JP = /\u001b(?:\$[@B]|\([IJ])/

/** Text of a file; `isAsStored` where its bytes are the text in UTF-8. */
interface DecodedText {
  readonly text: string
  readonly isAsStored: boolean
}

/**
 * Decodes a text file: by byte order mark, else as UTF-8 where valid, else as declared (HTML, XML, CSS), else by likelihood. Null where the
 * bytes do not fit. Declarations of another encoding are changed to UTF-8.
 * @param language assumed of a text that names none
 */
export function decodeText(bytes: Uint8Array, language?: string): DecodedText | null {
  const bom = BOMS.find(([, ...mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0]
  if (bom === undefined && isUtf8(bytes) && !hasForeignMarks(bytes)) return asUtf8(bytes)
  if (bom === 'utf-8') return isUtf8(bytes) ? asUtf8(bytes) : null
  const text = bom === undefined ? decodeDeclared(bytes, language) : decodeFatal(bytes, bom)
  return text === null ? null : { text: declareUtf8(text), isAsStored: false }
}

/** The same of a page; XHTML becomes HTML, since the gate serves every page as HTML. */
export function decodePage(name: string, bytes: Uint8Array): DecodedText | null {
  const decoded = decodeText(bytes)
  if (decoded === null || !isXhtmlFile(name)) return decoded
  return { text: xhtmlToHtml(decoded.text), isAsStored: false }
}

/** The bytes that a release has of a page: in UTF-8, with an element of the packer's in its head. Null for one that cannot be decoded. */
export function preparePage(name: string, bytes: Uint8Array, script: string | null): Uint8Array | null {
  const decoded = decodePage(name, bytes)
  if (decoded === null) return null
  const text = script === null ? decoded.text : putIntoHead(decoded.text, script)
  return decoded.isAsStored && text === decoded.text ? bytes : Buffer.from(text)
}

/** Before `</head>`, where scripts that wait for the page belong; at the end of a page that leaves its head open. */
function putIntoHead(html: string, script: string): string {
  const [address = ''] = /\/__gate\/[\w.]+/.exec(script) ?? []
  if (html.includes(address)) return html
  const at = html.search(/<\/head>/i)
  return at === -1 ? `${html}${script}\n` : html.slice(0, at) + script + html.slice(at)
}

const asUtf8 = (bytes: Uint8Array): DecodedText => ({
  text: new TextDecoder().decode(bytes),
  isAsStored: true,
})

/** Bytes below 0x80 alone are UTF-8 as well, in UTF-16 without a mark and in ISO-2022-JP. */
function hasForeignMarks(bytes: Uint8Array): boolean {
  return bytes.includes(0) || (bytes.includes(0x1b) && ISO_2022_JP.test(asLatin(bytes)))
}

const asLatin = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

function decodeDeclared(bytes: Uint8Array, language?: string): string | null {
  const utf16 = guessUtf16(bytes)
  if (utf16 !== null) return decodeFatal(bytes, utf16)
  if (bytes.includes(0x1b) && ISO_2022_JP.test(asLatin(bytes))) return decodeFatal(bytes, 'iso-2022-jp')
  if (bytes.includes(0)) return isUtf8(bytes) ? new TextDecoder().decode(bytes) : null
  const start = asLatin(bytes.subarray(0, PRESCAN_BYTES))
  const declared = declaredEncoding(start)
  // Editors of Western systems declared their own code page over Japanese text; every byte is valid in it.
  if (declared === 'windows-1252')
    return decodeLikeliest(bytes, start, language) ?? decodeFatal(bytes, declared)
  return declared === null ? decodeLikeliest(bytes, start, language) : decodeFatal(bytes, declared)
}

/** Every second byte of markup is 0 in UTF-16. */
function guessUtf16(bytes: Uint8Array): string | null {
  const start = bytes.subarray(0, 256)
  const zeros = [0, 1].map((odd) => start.filter((byte, at) => byte === 0 && at % 2 === odd).length)
  const [even = 0, odd = 0] = zeros
  if (Math.max(even, odd) * 4 < start.length) return null
  return odd > even ? 'utf-16le' : 'utf-16be'
}

function declaredEncoding(start: string): string | null {
  const shown = start.replace(/<!--[\s\S]*?-->/g, '')
  const label = (XML.exec(shown) ?? META.exec(shown) ?? CSS.exec(shown))?.[2]?.toLowerCase()
  if (label === undefined) return null
  try {
    const { encoding } = new TextDecoder(ALIASES[label] ?? label)
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding // it was read as ASCII (HTML, "encoding sniffing")
  } catch {
    return null // an unknown name is no declaration
  }
}

function decodeFatal(bytes: Uint8Array, encoding: string): string | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return text.split('\0').length * 3 > text.length + 3 ? null : text // UTF-32 is no encoding of the web
  } catch {
    return null
  }
}

const kanaIn = (text: string): number => text.match(/[\u3041-\u30fe]/g)?.length ?? 0
const halfKanaIn = (text: string): number => text.match(/[\uff66-\uff9f]/g)?.length ?? 0

/** Encodings that browsers assume for pages of a language (HTML, "encoding sniffing"), by the beginning of its tag. */
const LANGUAGE = /<html\s[^>]*?lang\s*=\s*["']?(ja|ko|ru|zh-(?:tw|hk|hant)|zh)\b/i
const OF_LANGUAGE: Readonly<Record<string, string>> = {
  ko: 'euc-kr',
  ru: 'windows-1251',
  zh: 'gb18030',
}

/** Japanese where it reads so, then the page's own language; a Western text has few letters beyond ASCII, and seldom two side by side. */
function decodeLikeliest(bytes: Uint8Array, start: string, assumed?: string): string | null {
  const japanese = ['shift_jis', 'euc-jp'].flatMap((encoding) => decodeFatal(bytes, encoding) ?? [])
  const [best] = japanese.toSorted(
    (one, other) => kanaIn(other) - halfKanaIn(other) - kanaIn(one) + halfKanaIn(one),
  )
  if (best !== undefined && kanaIn(best) > halfKanaIn(best)) return best
  const high = (at: number) => (bytes[at] ?? 0) >= 0x80
  const letters = bytes.filter((byte) => byte >= 0x80).length
  const pairs = bytes.filter((_byte, at) => high(at) && high(at + 1)).length
  const western = decodeFatal(bytes, 'windows-1252')
  // A byte without a character becomes a control.
  const isWestern = pairs * 4 <= letters && western !== null && !/[\u0080-\u009f]/.test(western)
  if (isWestern) return western
  const language = LANGUAGE.exec(start)?.[1]?.toLowerCase() ?? assumed
  if (language === 'ja') return best ?? null
  return language === undefined ? null : decodeFatal(bytes, OF_LANGUAGE[language] ?? 'big5')
}

function declareUtf8(text: string): string {
  const start = text.slice(0, PRESCAN_BYTES)
  const declared = [XML, META, CSS].reduce((said, place) => said.replace(place, '$1utf-8'), start)
  return declared + text.slice(PRESCAN_BYTES)
}

const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i

/** Elements that XML closes by `/>` get an end tag, and scripts and styles lose the marks of CDATA. */
function xhtmlToHtml(text: string): string {
  return text
    .replace(/<([a-z][\w-]*)((?:\s[^<>]*)?)\/>/gi, (tag, name: string, attributes: string) =>
      VOID.test(name) || isForeign(name) ? tag : `<${name}${attributes}></${name}>`,
    )
    .replace(/(?:\/\*|\/\/)?\s*<!\[CDATA\[\s*(?:\*\/)?|(?:\/\*|\/\/)?\s*\]\]>\s*(?:\*\/)?/g, '')
}

/** Names of SVG and MathML, in which HTML knows `/>` too. */
const isForeign = (name: string): boolean =>
  /^(?:path|circle|rect|line|ellipse|polygon|polyline|use|stop|image|animate|fe\w+|m\w|mspace)$/i.test(name)
