import { posix } from 'node:path'
import type { SiteFile } from './site-files.ts'

/** A file that a page or a partial names, and where. */
export interface Reference {
  readonly line: number
  readonly name: string
}

/** Whatever may be the path of a file in prose, in a link, in an import or in an attribute. */
const PATH = /[\p{L}\p{M}\p{N}_@.~%+-][\p{L}\p{M}\p{N}_@.~%+/-]*\.[A-Za-z0-9]{2,5}(?!\w)/gu
const ROOTED = /\/[\p{L}\p{M}\p{N}_@.~%+/-]*\.[A-Za-z0-9]{2,5}(?!\w)/gu

/** What code imports may lack its ending, and the name of an index. */
const IMPORTED = /(?:\bfrom|\bimport|\brequire\s*\()\s*['"]((?:\.{1,2}|@site)\/[^'"]+)['"]/g
const ENDINGS = ['.js', '.jsx', '.ts', '.tsx', '.mjs', '.cjs', '.json', '.mdx', '.md']

/**
 * The files of the site that a text names, by any of the forms that Docusaurus resolves: relative to the page, `@site/…`, and
 * below a folder of static files. Naming more than is meant does no harm; naming less would.
 */
export function findReferences(file: SiteFile, known: ReadonlySet<string>): readonly Reference[] {
  return (file.text ?? '').split('\n').flatMap((text, index) => {
    const named = [...text.matchAll(PATH), ...text.matchAll(ROOTED)].map(([path]) => path)
    const imported = [...text.matchAll(IMPORTED)].flatMap(([, path = '']) =>
      ENDINGS.flatMap((ending) => [path + ending, `${path}/index${ending}`]),
    )
    const names = new Set(
      [...named, ...imported].flatMap((path) => resolve(path, file.name)).filter((name) => known.has(name)),
    )
    return [...names].map((name) => ({ line: index + 1, name }))
  })
}

function resolve(written: string, from: string): readonly string[] {
  const path = decode(written)
  if (path.startsWith('@site/')) return [path.slice('@site/'.length)]
  const rooted = path.replace(/^\/+/, '')
  return [posix.join(posix.dirname(from), path), `static/${rooted}`, rooted]
}

function decode(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
