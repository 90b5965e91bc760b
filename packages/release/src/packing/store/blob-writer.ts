import { isUtf8 } from 'node:buffer'
import { createHash, hash } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { isNestedTooDeep } from '@sekisho/contract/html-depth'
import { type DefaultTreeAdapterMap, parse } from 'parse5'
import { holdsNow, isErrno, linkStored } from '../../durable-files.ts'
import { ENCODING_SUFFIXES, type Encoding, type ReleaseFile, type StoredBytes } from '../../manifest.ts'
import { openNoFollowNow } from '../build/build-files.ts'
import { contentTypeOf, mayBeKept } from '../build/content-types.ts'
import { CONTENTS_MAKER, type PageContents, readContents, resolveReferences } from '../build/page-contents.ts'
import { decodeText, preparePage } from '../build/page-text.ts'
import { type Refusal, readStyleSheet } from '../build/refusals.ts'
import type { PageFacts } from '../markdown/page-facts.ts'
import { MARKDOWN_MAKER, pageMarkdown } from '../markdown/page-markdown.ts'
import type { Route } from '../plan/plan-routes.ts'
import { markdownRecipes, type Recipe, recipesFor } from './compression.ts'
import { openCompressionCache } from './compression-cache.ts'

type Document = DefaultTreeAdapterMap['document']
/** The page as a tree, parsed on first use; pages packed before never need it. */
type ReadTree = () => Document

/** Files above this that do not compress are copied piece by piece instead of being held in memory. */
const MAX_HELD_BYTES = 1024 * 1024
const PIECE_BYTES = 1 << 18

/** A file of the build, and whether several pages load it: then it is worth the time of the hardest compression. */
export interface RouteToStore extends Route {
  readonly isShared: boolean
}

/** A file as the manifest describes it, and what was learnt on the way. */
export interface StoredRoute {
  readonly path: string
  readonly file: ReleaseFile
  /** Paths of the assets that a page names. */
  readonly references: readonly string[]
  /** Resources that the content policy blocks for a page or a style sheet. */
  readonly refused: readonly Refusal[]
  /** Number of its encodings that the cache lacked. */
  readonly compressed: number
  /** A page that no release may have. A value, because threads lose what kind an error is. */
  readonly unreadable?: { readonly file: string; readonly why: 'too_deep' | 'undecodable' }
  /** Untrusted metadata of a page. */
  readonly facts?: PageFacts
  /** HTML whose name does not say so, which readers can only save. */
  readonly isUnnamedHtml?: boolean
}

/** Puts the files of a build into the `files` folder of a release under construction. */
interface BlobWriter {
  /** Stores a file with every encoding that helps, and the Markdown of a page, on the calling thread. Nothing is synced. */
  store(route: RouteToStore): readonly StoredRoute[]
}

/** Folders, as text: options go to threads. */
export interface BlobWriterOptions {
  /** The release's `files` folder. */
  readonly folder: string
  /** Folder of the compression cache. */
  readonly cacheFolder: string
  /** `files` folder of the release before, whose equal files are shared; null when there is none. */
  readonly previous: string | null
  /** Put into the head of every page that lacks it; null for none. */
  readonly pageScript: string | null
}

/** Creates the writer. Several may write into one folder: names are hashes, so what two of them write is the same. */
export function createBlobWriter({
  folder,
  cacheFolder,
  previous,
  pageScript,
}: BlobWriterOptions): BlobWriter {
  const cache = openCompressionCache(cacheFolder)

  function storeHeld(bytes: Uint8Array, sha256: string, recipes: readonly Recipe[]) {
    writePlain(bytes, sha256)
    const encodings: Partial<Record<Encoding, StoredBytes>> = {}
    for (const recipe of recipes) {
      const cached = cache.compressed(bytes, sha256, recipe)
      if (cached === null) continue
      linkStored(cached.file, join(folder, sha256 + ENCODING_SUFFIXES[recipe.encoding]))
      encodings[recipe.encoding] = { sha256: cached.sha256, bytes: cached.bytes }
    }
    return encodings
  }

  function writePlain(bytes: Uint8Array, sha256: string): void {
    const target = join(folder, sha256)
    const shared = previous === null ? null : join(previous, sha256)
    if (shared !== null && holdsNow(shared, { sha256, bytes: bytes.length })) linkStored(shared, target)
    else writeNew(target, bytes)
  }

  function storeLarge(route: RouteToStore, descriptor: number): ReleaseFile {
    const temporary = join(folder, `.copy-${hash('sha256', route.path)}`)
    const copied = copyPieces(descriptor, temporary)
    renameSync(temporary, join(folder, copied.sha256))
    return { ...copied, ...describe(route), encodings: {} }
  }

  /** Null for a page that is nested too deep. */
  function contentsOf(sha256: string, readTree: ReadTree): PageContents | null {
    const kept = cache.keep(sha256, CONTENTS_MAKER, () => {
      const tree = readTree()
      return isNestedTooDeep(tree) ? null : Buffer.from(JSON.stringify(readContents(tree)))
    })
    return kept === null ? null : JSON.parse(readFileSync(kept.file, 'utf8'))
  }

  function storeMarkdown(path: string, route: RouteToStore, page: string, readTree: ReadTree): StoredRoute {
    const { title = '' } = route
    const before = cache.made()
    const key = markdownKey({ sha256: page, title }, route.path)
    const make = () => Buffer.from(pageMarkdown(readTree(), { path: route.path, title }))
    const { file: made } = cache.keep(key, MARKDOWN_MAKER, make) ?? { file: null }
    const bytes = made === null ? make() : readFileSync(made)
    const sha256 = hash('sha256', bytes)
    const encodings = storeHeld(bytes, sha256, markdownRecipes(bytes.length))
    const file = { sha256, bytes: bytes.length, ...describe({ path, kind: MARKDOWN }), encodings }
    return { path, file, references: [], refused: [], compressed: cache.made() - before }
  }

  function storePage(route: RouteToStore, bytes: Uint8Array, sha256: string): readonly StoredRoute[] {
    const { path, markdown } = route
    let tree: Document | undefined
    const readTree = () => {
      tree ??= parse(decode(bytes))
      return tree
    }
    const contents = contentsOf(sha256, readTree)
    if (contents === null) return [refusePage(route, 'too_deep')]
    const { references, refused, scriptHashes, facts } = contents
    const { encodings, compressed } = storeEncoded(route, bytes, sha256)
    const own = { ...describe(route), ...(markdown === undefined ? {} : { markdown }), scriptHashes }
    const page = {
      path,
      file: { sha256, bytes: bytes.length, ...own, encodings },
      references: resolveReferences(references, path),
      refused,
      compressed,
      facts,
    }
    return markdown === undefined ? [page] : [page, storeMarkdown(markdown, route, sha256, readTree)]
  }

  function storeEncoded({ kind, isShared }: RouteToStore, bytes: Uint8Array, sha256: string) {
    const before = cache.made()
    const recipes = kind.compressible ? recipesFor(bytes.length, isShared) : []
    const encodings = storeHeld(bytes, sha256, recipes)
    return { encodings, compressed: cache.made() - before }
  }

  return {
    store(route) {
      const { path, kind } = route
      const descriptor = openNoFollowNow(route.file)
      try {
        if (isLarge(route, descriptor))
          return [{ path, file: storeLarge(route, descriptor), references: [], refused: [], compressed: 0 }]
        const source = readFileSync(descriptor)
        const bytes =
          kind.delivery === 'page' ? preparePage(route.name, source, pageScript) : inUtf8(source, kind)
        if (bytes === null) return [refusePage(route, 'undecodable')]
        const sha256 = hash('sha256', bytes)
        if (kind.delivery === 'page') return storePage(route, bytes, sha256)
        const { encodings, compressed } = storeEncoded(route, bytes, sha256)
        const refused = kind.type.startsWith('text/css') ? readStyleSheet(decode(bytes)) : []
        const file = { sha256, bytes: bytes.length, ...describe(route), encodings }
        const isUnnamedHtml = kind.type === 'application/octet-stream' && isHtml(bytes)
        return [{ path, file, references: [], refused, compressed, isUnnamedHtml }]
      } finally {
        closeSync(descriptor)
      }
    },
  }
}

/** Entry of a page that is not read any further. */
function refusePage(route: RouteToStore, why: 'too_deep' | 'undecodable'): StoredRoute {
  const file = { sha256: hash('sha256', ''), bytes: 0, ...describe(route), encodings: {} }
  const unreadable = { file: route.name, why }
  return { path: route.path, file, references: [], refused: [], compressed: 0, unreadable }
}

/** Text that is shown or run, in UTF-8, as its type says; a spreadsheet reads a CSV as it was saved, and JSON is UTF-8 anywhere. */
function inUtf8(bytes: Uint8Array, { type }: Route['kind']): Uint8Array {
  const isRead = /^text\/(?:css|javascript|plain|markdown|vtt)|xml;/.test(type) && !isUtf8(bytes)
  const decoded = isRead ? decodeText(bytes, 'ja') : null
  return decoded === null ? bytes : Buffer.from(decoded.text)
}

/** Tells a page by its beginning, which may have comments and declarations before it. */
function isHtml(bytes: Uint8Array): boolean {
  const beginning = decode(bytes.subarray(0, 1024))
  return /^\s*</.test(beginning) && /<(?:!doctype\s+html|html)[\s>]/i.test(beginning)
}

const MARKDOWN = contentTypeOf('page.md')

/** Cache key of a page's Markdown, which contains the page's path and name. */
export function markdownKey(
  { sha256, title = '' }: Pick<ReleaseFile, 'sha256' | 'title'>,
  path: string,
): string {
  return hash('sha256', JSON.stringify([sha256, path, title]))
}

/** Equal files are written once. */
function writeNew(file: string, bytes: Uint8Array): void {
  try {
    writeFileSync(file, bytes, { flag: 'wx', mode: 0o644 })
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
  }
}

function isLarge({ kind }: Route, descriptor: number): boolean {
  return fstatSync(descriptor).size > (kind.compressible ? 32 * MAX_HELD_BYTES : MAX_HELD_BYTES)
}

/** Copies a file of any size, hashing what it writes. */
function copyPieces(source: number, to: string): StoredBytes {
  const digest = createHash('sha256')
  const piece = Buffer.allocUnsafe(PIECE_BYTES)
  const target = openSync(to, 'w', 0o644)
  let bytes = 0
  try {
    for (let read = readSync(source, piece); read > 0; read = readSync(source, piece)) {
      digest.update(piece.subarray(0, read))
      for (let at = 0; at < read; ) at += writeSync(target, piece, at, read - at)
      bytes += read
    }
  } finally {
    closeSync(target)
  }
  return { sha256: digest.digest('hex'), bytes }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function describe(
  route: Pick<Route, 'path' | 'kind' | 'title'>,
): Pick<ReleaseFile, 'type' | 'delivery' | 'cache' | 'title'> {
  const { type, delivery } = route.kind
  const cache = mayBeKept(route.path, delivery) ? 'immutable' : 'no-store'
  return { type, delivery, cache, ...(route.title === undefined ? {} : { title: route.title }) }
}
