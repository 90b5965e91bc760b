import { unescapeScript } from './views.ts'

/**
 * Strings that may be addresses: in quotes, in brackets, behind an equals sign, or between the commas of a list. A reader of its own, by
 * the text alone: nothing that packs a release is asked.
 */
const CANDIDATE =
  /"([^"<>]{1,2000})"|'([^'<>]{1,2000})'|\(\s*([^()"'\s]{1,2000})\s*\)|=\s*([^\s"'<>=]{1,2000})/g
const HOST = 'http://named.invalid'
/** Digits by which a bundler tells versions of a file apart; a script may name a chunk by them alone. */
const DIGITS = /[.-]([0-9a-f]{8,64})\.[a-z0-9]+$/

/** Decoded paths of the site that the text of a file at a path may lead to. */
export function pathsIn(text: string, where: string): ReadonlySet<string> {
  const plain = decodeEntities(text)
  const found = new Set<string>()
  for (const source of plain.includes('\\') ? [plain, unescapeScript(plain)] : [plain])
    for (const [, ...groups] of source.matchAll(CANDIDATE)) {
      const value = groups.find((group) => group !== undefined) ?? ''
      for (const one of [value, ...value.split(/[\s,()'"]+/), value.replace(/^[\d.;\s]*url=/i, '')]) {
        const url = URL.parse(one, HOST + encodeURI(where))
        if (url !== null && /^https?:$/.test(url.protocol)) found.add(decodePath(url.pathname))
      }
    }
  return found
}

/** Tells if a script may load a file whose whole address it does not contain. */
export function mayLoad(script: string, path: string): boolean {
  const digits = DIGITS.exec(path)?.[1]
  return script.includes(digits ?? path.slice(path.lastIndexOf('/') + 1))
}

const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|quot|apos|lt|gt|nbsp));?/gi,
    (whole, hex, decimal, name) => {
      if (name !== undefined)
        return (
          { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', nbsp: '\u00a0' }[String(name).toLowerCase()] ??
          whole
        )
      const code = hex === undefined ? Number(decimal) : Number.parseInt(String(hex), 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path).normalize('NFC')
  } catch {
    return path
  }
}
