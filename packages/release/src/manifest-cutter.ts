import { StringDecoder } from 'node:string_decoder'
import type { Message } from '@sekisho/contract/language'
import { problemOf } from './texts/index.ts'

/** Receives JSON of a manifest in the order of its bytes, in pieces that are small whatever the size of the site. */
interface ManifestPieces {
  /** Some entries of a table of the edition that comes next. */
  onEntries(table: Table, json: string): void
  /** An edition, its tables empty. */
  onEdition(json: string): void
}

/** Parts of an edition that grow with the site. */
export type Table = 'files' | 'redirects'

/** Characters of entries that are handed over together, unless one alone has more. */
const PART_CHARACTERS = 16 * 1024
/** The format nests half as deep; V8 takes seconds for a list within a million lists. */
const MAX_NESTING = 16
/** Characters of a key with what stands behind it; a table with more blanks before it is not cut out, and so refused. */
const KEY_CHARACTERS = 32

/** Owner of a text: the manifest itself, an edition of it, or a table of that. */
type Scope = 'root' | 'edition' | 'table'

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Cuts the JSON of a manifest without parsing it. A second table of an edition, or one under an escaped key, stays in its edition. */
export function createManifestCutter({ onEntries, onEdition }: ManifestPieces) {
  const decoder = new StringDecoder('utf8')
  const taken = { root: '', edition: '', table: '' }
  let scope: Scope = 'root'
  let depth = 0
  let isText = false
  let isEscaped = false
  let isEditions = false
  let table: Table = 'files'
  const cut = new Set<string>()
  let isCut = false
  let problem: Message | null = null
  /** The piece being read, and the place up to which its text is taken. */
  let text = ''
  let from = 0
  /** The last characters that were taken: what was taken before may be long, and is not looked at for each list. */
  let recent = ''

  /** Hands text that was passed over to the scope that it belongs to. */
  function take(to: number): void {
    taken[scope] += text.slice(from, to)
    recent = (recent + text.slice(Math.max(from, to - KEY_CHARACTERS), to)).slice(-KEY_CHARACTERS)
    from = to
  }

  function handOver(to: number): void {
    take(to)
    const isEnd = isCut && taken.table.trim() === '' // a comma that nothing follows is no JSON
    onEntries(table, isEnd ? taken.table : `{${taken.table}}`)
    taken.table = ''
  }

  function open(at: number, isObject: boolean): void {
    depth += 1
    if (depth > MAX_NESTING) problem ??= problemOf('nested_too_deep', MAX_NESTING)
    if (depth > 4 || scope === 'table') return
    take(at)
    if (depth === 2) isEditions = !isObject && /"editions"\s*:\s*$/.test(recent)
    if (depth === 3 && isEditions && isObject) {
      scope = 'edition'
      cut.clear()
    }
    if (depth !== 4 || scope !== 'edition' || !isObject) return
    const key = /"(files|redirects)"\s*:\s*$/.exec(recent)?.[1]
    if (key === undefined || cut.has(key)) return
    take(at + 1)
    scope = 'table'
    table = key as Table
    cut.add(key)
    isCut = false
  }

  function close(at: number): void {
    depth -= 1
    if (depth === 3 && scope === 'table') {
      handOver(at)
      scope = 'edition'
    } else if (depth === 2 && scope === 'edition') {
      take(at + 1)
      onEdition(taken.edition)
      taken.edition = ''
      taken.root += '{}'
      scope = 'root'
    }
  }

  function pass(code: number, at: number): void {
    if (isText) {
      if (isEscaped) isEscaped = false
      else if (code === BACKSLASH) isEscaped = true
      else if (code === QUOTE) isText = false
    } else if (code === QUOTE) isText = true
    else if (code === OPEN_OBJECT || code === OPEN_LIST) open(at, code === OPEN_OBJECT)
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) close(at)
    else if (code === COMMA && scope === 'table' && depth === 4) {
      if (taken.table.length + at - from < PART_CHARACTERS) return
      handOver(at)
      isCut = true
      from = at + 1
    }
  }

  return {
    read(piece: Uint8Array): void {
      if (problem !== null) return
      text = decoder.write(piece)
      from = 0
      for (let at = 0; at < text.length; at += 1) pass(text.charCodeAt(at), at)
      take(text.length)
    },
    /** The rest of the manifest, its editions empty, or the problem that ended the reading. */
    end: (): { readonly json: string; readonly problem: Message | null } => ({
      json: taken.root + decoder.end(),
      problem,
    }),
  }
}
