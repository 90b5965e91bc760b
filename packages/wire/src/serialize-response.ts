import { STATUS_CODES } from 'node:http'
import type { PlainHeaders } from './plain-headers.ts'

/** What a value may hold (RFC 9110 §5.5): a line end in it would begin a header of somebody else's making. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Most lines are the same in every answer: judged once, and found again. */
const MAX_REMEMBERED = 512
const MAX_REMEMBERED_CHARS = 2_048
const remembered = new Map<string, Map<string, string>>()

/**
 * Spells the head of an answer, the empty line included, for Latin-1 on the wire. Throws a TypeError when a header
 * could not stand on its line.
 */
export function spellHead(status: number, headers: PlainHeaders, keepAlive: boolean, nowMs: number): string {
  if (!headers.isSealed || !keepAlive) return compose(status, fieldLines(headers), keepAlive, dateLine(nowMs))
  const known = spelled.get(headers) ?? { lines: fieldLines(headers), status, date: '', head: '' }
  const date = dateLine(nowMs)
  if (known.date !== date || known.status !== status) {
    const head = flat(compose(status, known.lines, keepAlive, date))
    spelled.set(headers, { lines: known.lines, status, date, head })
    return head
  }
  return known.head
}

interface SpelledHead {
  readonly lines: string
  readonly status: number
  readonly date: string
  readonly head: string
}

/** Of sealed headers, which many answers share, the lines and the whole head they had last. */
const spelled = new WeakMap<PlainHeaders, SpelledHead>()

function compose(status: number, lines: string, keepAlive: boolean, date: string): string {
  return statusLine(status) + date + lines + (keepAlive ? '\r\n' : 'connection: close\r\n\r\n')
}

function fieldLines(headers: PlainHeaders): string {
  const fields = headers.toWire()
  let text = ''
  for (let index = 0; index < fields.length; index += 2) {
    text += fieldLine(fields[index] ?? '', fields[index + 1] ?? '')
  }
  return text
}

/** The same text as one run of characters: pieces would be joined anew each time it is written. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

function statusLine(status: number): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`
}

function fieldLine(name: string, value: string): string {
  const known = remembered.get(name)?.get(value)
  if (known !== undefined) return known
  if (!FIELD_NAME.test(name) || !FIELD_VALUE.test(value)) {
    throw new TypeError(`the header ${JSON.stringify(name)} cannot be sent`) // not its value: it may be a cookie
  }
  const line = `${name}: ${value}\r\n`
  remember(name, value, line)
  return line
}

/** Cookies are never alike and hold secrets; lengths and tags come and go: a full table begins anew. */
function remember(name: string, value: string, line: string): void {
  if (name === 'set-cookie' || value.length > MAX_REMEMBERED_CHARS) return
  const values = remembered.get(name) ?? new Map<string, string>()
  if (values.size >= MAX_REMEMBERED) values.clear()
  remembered.set(name, values.set(value, line))
}

let dateSecond = -1
let date = ''

/** RFC 9110 §6.6.1 wants a date from everybody who has a clock; it is spelled once a second. */
function dateLine(nowMs: number): string {
  const second = Math.floor(nowMs / 1_000)
  if (second !== dateSecond) {
    dateSecond = second
    date = `date: ${new Date(nowMs).toUTCString()}\r\n`
  }
  return date
}
