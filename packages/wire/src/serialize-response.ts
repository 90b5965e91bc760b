import { STATUS_CODES } from 'node:http'
import type { PlainHeaders } from './plain-headers.ts'

/** A token (RFC 9110 §5.6.2), in lower case. */
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
/** What a value may not hold (RFC 9110 §5.5): a line end in it would begin a header of somebody else's making. */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/

export interface ResponseHeader {
  readonly status: number
  readonly headers: PlainHeaders
  /** Whether the connection stays open behind the response. */
  readonly keepAlive: boolean
  readonly nowMs: number
}

/**
 * Serializes status line and header section, the empty line included, as Latin-1. Throws a TypeError for a header that
 * cannot be sent as one.
 */
export function serializeResponseHeader({ status, headers, keepAlive, nowMs }: ResponseHeader): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ndate: ${httpDate(nowMs)}\r\n`
  for (const [name, value] of headers.fields()) {
    if (!FIELD_NAME.test(name) || UNSENDABLE.test(value)) {
      throw new TypeError(`the header ${JSON.stringify(name)} cannot be sent`) // not its value: it may be secret
    }
    text += `${name}: ${value}\r\n`
  }
  return text + (keepAlive ? '\r\n' : 'connection: close\r\n\r\n')
}

let dateSecond = -1
let date = ''

/** RFC 9110 §6.6.1 wants a date from everybody who has a clock; it is formatted once a second. */
function httpDate(nowMs: number): string {
  const second = Math.floor(nowMs / 1_000)
  if (second !== dateSecond) {
    dateSecond = second
    date = new Date(nowMs).toUTCString()
  }
  return date
}
