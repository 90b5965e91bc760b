import { TEXTS } from '../texts/index.ts'
import { createMessages, type Message } from '../texts/language.ts'

const problemOf = createMessages(TEXTS, 'shape')

/** Parsed JSON, or its first problem with line and column. */
type HandwrittenJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: Message }

/**
 * Parses JSON that a person wrote. A byte order mark is skipped; text in another encoding than UTF-8 is refused, and so is a key given
 * twice, of which `JSON.parse` silently drops one.
 */
export function parseHandwrittenJson(written: string): HandwrittenJson {
  const text = written.replace(/^\uFEFF/, '')
  if (/[\0\uFFFD]/.test(text)) return { ok: false, problem: problemOf('no_utf8') }
  const mistake = findMistake(text)
  if (mistake === null) return { ok: true, value: JSON.parse(text) }
  const lines = text.slice(0, mistake.at).split(/\r\n?|\n/)
  const place = [lines.length, (lines.at(-1) ?? '').length + 1] as const
  const problem = mistake.isKeyTwice
    ? problemOf('key_duplicate', ...place)
    : problemOf('no_json_at', ...place)
  return { ok: false, problem }
}

const SPACE = /[ \t\n\r]*/y
/** Punctuation, a string, or a word that may be a number or a literal. */
const TOKEN = /[{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s{}[\],:"]+/sy

interface Mistake {
  readonly at: number
  readonly isKeyTwice: boolean
}

/** `first` is the place behind an opening bracket, `next` the one behind a value. */
type Expected = 'value' | 'first' | 'key' | 'colon' | 'next'

/** Finds the first token that RFC 8259 does not allow, or a key that its object already has. Takes linear time. */
function findMistake(text: string): Mistake | null {
  const open: (Set<unknown> | null)[] = [] // the keys of each object around; null for an array
  let expected: Expected = 'value'
  let at = 0
  for (;;) {
    at = endOf(SPACE, text, at)
    const end = endOf(TOKEN, text, at)
    const isWhole = at === text.length && expected === 'next' && open.length === 0
    const after: Expected | 'key twice' | null =
      end === at ? null : afterToken(text.slice(at, end), expected, open)
    if (after === null || after === 'key twice')
      return isWhole ? null : { at, isKeyTwice: after === 'key twice' }
    expected = after
    at = end
  }
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** Returns what may follow a token; null where the token itself may not stand. */
function afterToken(
  token: string,
  expected: Expected,
  open: (Set<unknown> | null)[],
): Expected | 'key twice' | null {
  const keys = open.at(-1)
  if (token === '}' || token === ']') {
    const isOpen = token === '}' ? keys instanceof Set : keys === null
    if (!isOpen || (expected !== 'first' && expected !== 'next')) return null
    open.pop()
    return 'next'
  }
  if (expected === 'colon') return token === ':' ? 'value' : null
  if (expected === 'next') {
    if (token !== ',' || keys === undefined) return null
    return keys === null ? 'value' : 'key'
  }
  if (keys instanceof Set && expected !== 'value') {
    const key = token.startsWith('"') ? parseScalar(token) : undefined
    if (key === undefined) return null
    if (keys.has(key)) return 'key twice'
    keys.add(key)
    return 'colon'
  }
  if (token === '{' || token === '[') {
    open.push(token === '{' ? new Set() : null)
    return 'first'
  }
  return parseScalar(token) === undefined ? null : 'next'
}

function parseScalar(token: string): unknown {
  try {
    return JSON.parse(token)
  } catch {
    return undefined
  }
}
