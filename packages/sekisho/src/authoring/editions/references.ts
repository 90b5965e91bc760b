import { posix } from 'node:path'
import { decodeOrSame } from '@sekisho/contract/canonical-path'
import type { SiteFile } from './site-files.ts'

/** A file that a page or a partial names, and where. */
export interface Reference {
  readonly line: number
  readonly name: string
}

/** Folder of files served unchanged. */
const STATIC = 'static/'
/** Usual characters of a file's path. */
const CHARACTER = '[\\p{L}\\p{M}\\p{N}_@.~%+-]'
/** Ending of a file's path in prose, links, imports and attributes. */
const ENDING = '\\.[A-Za-z0-9]{1,15}(?!\\w)'
/** Cheap precondition of the next two patterns; Japanese lines are one long run of path characters. */
const HAS_ENDING = /\.[A-Za-z0-9]/
const PATH = new RegExp(`${CHARACTER}(?:${CHARACTER}|/)*${ENDING}`, 'gu')
const ROOTED = new RegExp(`(?<![:/]|${CHARACTER})/(?:${CHARACTER}|/)*${ENDING}`, 'gu')
const USUAL = new RegExp(`^(?:${CHARACTER}|/)*${ENDING}$`, 'u')

/** Imports of code, which may omit the ending and the name of an index. */
const IMPORTED = /(?:\bfrom|\bimport|\brequire\s*\()\s*['"]((?:\.{1,2}|@site)\/[^'"]+)['"]/g
const ENDINGS = ['.js', '.jsx', '.ts', '.tsx', '.mjs', '.cjs', '.json', '.mdx', '.md']

/** Tells if a file is served unchanged, by any reference. */
export const isServedAsIs = ({ name, text, isMarkdown }: SiteFile): boolean =>
  text === null || (name.startsWith(STATIC) && !isMarkdown)

/**
 * Makes what finds the files of a site that a text names, by any of the forms that Docusaurus resolves: relative to the page, `@site/…`, and
 * below a folder of static files. Names with blanks, brackets or no ending are looked for one by one.
 */
export function createReferenceFinder(files: readonly SiteFile[]): (file: SiteFile) => readonly Reference[] {
  const known = new Map(files.map(({ name }) => [name.normalize('NFC'), name]))
  const byTail = Map.groupBy(known.keys(), (name) => name.slice(name.indexOf('/') + 1))
  const unusual = files.flatMap((file) =>
    isServedAsIs(file) && !USUAL.test(file.name) ? [file.name.normalize('NFC')] : [],
  )
  const anyUnusual = new RegExp(
    unusual.flatMap((name) => encodingsOf(posix.basename(name)).map(RegExp.escape)).join('|'),
    'u',
  )

  /** A static folder of another name, or a path below the one that the site is served at, where nothing else is meant. */
  function resolveRooted(path: string): readonly string[] {
    const rooted = path.replace(/^\/+/, '')
    const usual = [STATIC + rooted, rooted].filter((name) => known.has(name))
    if (usual.length > 0) return usual
    return [...(byTail.get(rooted) ?? []), STATIC + rooted.slice(rooted.indexOf('/') + 1)]
  }

  function resolve(written: string, from: string): readonly string[] {
    const path = decodeOrSame(written, decodeURI).normalize('NFC')
    if (path.startsWith('@site/')) return [path.slice('@site/'.length)]
    return [posix.join(posix.dirname(from), path), STATIC + path, path]
  }

  return (file) => {
    const from = file.name.normalize('NFC')
    const whole = file.text ?? ''
    const rare =
      unusual.length > 0 && anyUnusual.test(whole.normalize('NFC'))
        ? unusual.map((name) => [name, spellingsOf(name, from)] as const)
        : []
    return whole.split('\n').flatMap((written, index) => {
      const text = written.normalize('NFC')
      const find = (pattern: RegExp) => (HAS_ENDING.test(text) ? [...text.matchAll(pattern)] : [])
      const named = find(PATH).map(([path]) => path)
      const imported = [...text.matchAll(IMPORTED)].flatMap(([, path = '']) =>
        ENDINGS.flatMap((ending) => [path + ending, `${path}/index${ending}`]),
      )
      const names = [
        ...[...named, ...imported].flatMap((path) => resolve(path, from)),
        ...find(ROOTED).flatMap(([path]) => resolveRooted(decodeOrSame(path, decodeURI))),
      ]
      for (const [name, spellings] of rare) if (spellings.some((one) => text.includes(one))) names.push(name)
      return [...new Set(names.flatMap((name) => known.get(name) ?? []))].map((name) => ({
        line: index + 1,
        name,
      }))
    })
  }
}

/** Spellings of an unusual file name in a text, as itself and as an address. */
function spellingsOf(name: string, from: string): readonly string[] {
  const served = name.startsWith(STATIC) ? [`/${name.slice(STATIC.length)}`] : []
  const forms = [posix.relative(posix.dirname(from), name), `@site/${name}`, ...served]
  return forms.flatMap(encodingsOf)
}

const encodingsOf = (path: string): readonly string[] => [
  ...new Set([path, encodeURI(path), path.replaceAll(' ', '%20')]),
]
