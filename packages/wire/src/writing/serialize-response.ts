import { STATUS_CODES } from 'node:http'
import type { PlainHeaders } from '../plain-headers.ts'

interface ResponseHeader {
  readonly status: number
  readonly headers: PlainHeaders
  /** The connection stays open behind the response. */
  readonly keepAlive: boolean
  readonly nowMs: number
}

/**
 * Serializes status line and header section, the empty line included, as Latin-1. Throws a TypeError for a header that
 * cannot be sent as one.
 */
export function serializeResponseHeader({ status, headers, keepAlive, nowMs }: ResponseHeader): string {
  const start = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ndate: ${httpDate(nowMs)}\r\n`
  return start + headers.serialize() + (keepAlive ? '\r\n' : 'connection: close\r\n\r\n')
}

let dateSecond = -1
let date = ''

/** Date required of servers with a clock (RFC 9110 §6.6.1), formatted once a second. */
function httpDate(nowMs: number): string {
  const second = Math.floor(nowMs / 1_000)
  if (second !== dateSecond) {
    dateSecond = second
    date = new Date(nowMs).toUTCString()
  }
  return date
}
