import type { ProtectedRelease } from './protected-release.ts'

/** A page title or file name of the release. */
interface ProtectedName {
  readonly kind: 'title' | 'file name'
  readonly text: string
  readonly bytes: Buffer
}

/** Finds names of the release in bytes from which public text was taken out. */
interface NameFinder {
  readonly find: (residue: Buffer, request: string) => ProtectedName | null
}

/** Shorter names (`docs`, `API`) are ordinary words and prove nothing by themselves. */
const MIN_NAME_BYTES = 6
const TITLE_DELIMITER = ' | '

/**
 * Finds page titles (with and without the site's part) and file names (paths and last segments). `isPublic` excludes names in public text.
 * Names in the request itself do not count: repeating them discloses nothing.
 */
export function createNameFinder(release: ProtectedRelease, isPublic: (name: string) => boolean): NameFinder {
  const byPrefix = new Map<number, ProtectedName[]>()
  const seen = new Set<string>()
  const add = (kind: ProtectedName['kind'], text: string) => {
    const bytes = Buffer.from(text, 'utf8')
    if (bytes.length < MIN_NAME_BYTES || seen.has(text) || isPublic(text)) return
    seen.add(text)
    const key = bytes.readUInt32LE(0)
    const list = byPrefix.get(key)
    if (list === undefined) byPrefix.set(key, [{ kind, text, bytes }])
    else list.push({ kind, text, bytes })
  }
  for (const [path, { title }] of release.files) {
    for (const form of formsOfPath(path)) add('file name', form)
    if (title === undefined) continue
    add('title', title)
    add('title', title.split(TITLE_DELIMITER)[0] ?? title)
  }
  for (const from of release.redirects.keys()) for (const form of formsOfPath(from)) add('file name', form)

  return {
    find(residue, request) {
      for (let at = 0; at + MIN_NAME_BYTES <= residue.length; at += 1) {
        for (const name of byPrefix.get(residue.readUInt32LE(at)) ?? []) {
          const end = at + name.bytes.length
          const isHere =
            end <= residue.length && residue.compare(name.bytes, 0, name.bytes.length, at, end) === 0
          if (isHere && isWholeWord(residue, at, end) && !request.includes(name.text)) return name
        }
      }
      return null
    },
  }
}

function formsOfPath(path: string): string[] {
  const leaf = path.slice(path.lastIndexOf('/') + 1)
  const encoded = encodeURI(path)
  return [path, encoded, leaf, encoded.slice(encoded.lastIndexOf('/') + 1)].filter(
    (form) => form.lastIndexOf('/') > 0 || /[^a-z0-9/]/i.test(form),
  )
}

/** An ASCII name must not be the inside of a longer word or number, such as a request id. */
function isWholeWord(bytes: Buffer, start: number, end: number): boolean {
  return (
    !(isWordByte(bytes[start - 1]) && isWordByte(bytes[start])) &&
    !(isWordByte(bytes[end - 1]) && isWordByte(bytes[end]))
  )
}

function isWordByte(byte: number | undefined): boolean {
  return byte !== undefined && /[a-z0-9_]/i.test(String.fromCharCode(byte))
}
