import { describe, expect, it } from 'vitest'
import type { Refusal } from '../refusal.ts'
import { findHeaderEnd, MAX_HEADER_BYTES, parseRequestHeader, type RequestHeader } from './parse-request.ts'

/** Parses a header, of which `text` is all but the empty line, as a connection does; null while it is not whole. */
function parse(text: string): RequestHeader | Refusal | null {
  const bytes = Buffer.from(`${text}\r\n`, 'latin1')
  const end = findHeaderEnd(bytes, 0)
  return typeof end === 'number' ? parseRequestHeader(bytes, end) : end
}

function accepted(text: string): RequestHeader {
  const parsed = parse(text)
  if (parsed === null || 'status' in parsed) throw new Error(`not accepted: ${parsed?.reason}`)
  return parsed
}

const header = (...lines: string[]) => lines.map((line) => `${line}\r\n`).join('')
const HOST = 'Host: portal.test'

const REFUSED: readonly (readonly [row: string, text: string, status: number])[] = [
  ['nothing', '\r\n', 400],
  ['an empty line first', header('', 'GET / HTTP/1.1', HOST), 400],
  ['two spaces', header('GET  / HTTP/1.1', HOST), 400],
  ['a tab for a space', header('GET\t/ HTTP/1.1', HOST), 400],
  ['a space at the end', header('GET / HTTP/1.1 ', HOST), 400],
  ['no version', header('GET /', HOST), 400],
  ['HTTP/2.0', header('GET / HTTP/2.0', HOST), 400],
  ['HTTP/1.2', header('GET / HTTP/1.2', HOST), 400],
  ['http in lower case', header('GET / http/1.1', HOST), 400],
  ['a method in lower case', header('get / HTTP/1.1', HOST), 400],
  ['a method nobody registered', header('SEKISHO / HTTP/1.1', HOST), 400],
  ['a byte beyond ASCII in the target', header('GET /\xe9 HTTP/1.1', HOST), 400],
  ['a target that is too long', header(`GET /${'a'.repeat(8_192)} HTTP/1.1`, HOST), 414],
  ['a search with long fields', header('GET /search?q=a HTTP/1.1', HOST, `A: ${'a'.repeat(16_384)}`), 431],
  ['a bare line feed', 'GET / HTTP/1.1\nHost: portal.test\r\n', 400],
  ['a bare carriage return', header('GET / HTTP/1.1', 'A: b\rC: d'), 400],
  ['NUL', header('GET / HTTP/1.1', 'A: \0'), 400],
  ['DEL', header('GET / HTTP/1.1', 'A: \x7f'), 400],
  ['a folded line', header('GET / HTTP/1.1', 'A: b', ' c'), 400],
  ['a space before the colon', header('GET / HTTP/1.1', 'A : b'), 400],
  ['a name of nothing', header('GET / HTTP/1.1', ': b'), 400],
  ['a line without a colon', header('GET / HTTP/1.1', 'A', 'B: c'), 400],
  ['a name beyond ASCII', header('GET / HTTP/1.1', '\xe9: b'), 400],
  ['101 fields', header('GET / HTTP/1.1', ...Array.from({ length: 101 }, (_, n) => `A${n}: b`)), 431],
  ['19 two Hosts', header('GET / HTTP/1.1', HOST, HOST), 400],
  ['33 two lengths that agree', header('POST / HTTP/1.1', 'Content-Length: 1', 'content-length: 1'), 400],
  ['33 a list of lengths', header('POST / HTTP/1.1', 'Content-Length: 1, 1'), 400],
  ['33 a signed length', header('POST / HTTP/1.1', 'Content-Length: +1'), 400],
  ['33 a length in hex', header('POST / HTTP/1.1', 'Content-Length: 0x1'), 400],
  ['33 a length of nothing', header('POST / HTTP/1.1', 'Content-Length:'), 400],
  ['33 a length beyond counting', header('POST / HTTP/1.1', `Content-Length: ${'9'.repeat(16)}`), 400],
  ['33 a body of GET', header('GET / HTTP/1.1', 'Content-Length: 1'), 400],
  ['33 chunks of GET', header('GET / HTTP/1.1', 'Transfer-Encoding: chunked'), 400],
  ['33 chunks in another case', header('POST / HTTP/1.1', 'Transfer-Encoding: Chunked'), 400],
  [
    '33 chunks and a length',
    header('POST / HTTP/1.1', 'Transfer-Encoding: chunked', 'Content-Length: 1'),
    400,
  ],
  ['33 chunks of HTTP/1.0', header('POST / HTTP/1.0', 'Transfer-Encoding: chunked'), 400],
  ['33 another coding', header('POST / HTTP/1.1', 'Transfer-Encoding: xchunked'), 400],
  [
    '33 a coding named twice',
    header('POST / HTTP/1.1', 'Transfer-Encoding: chunked', 'Transfer-Encoding: x'),
    400,
  ],
  ['33 a coding after a vertical tab', header('POST / HTTP/1.1', 'Transfer-Encoding: \x0bchunked'), 400],
]

describe('parseRequestHeader', () => {
  it.each(REFUSED)('refuses %s', (_row, text, status) => {
    expect(parse(text)).toMatchObject({ status, reason: expect.stringMatching(/./) })
  })

  it('reads what is well formed', () => {
    const { method, target, bodyBytes, keepAlive, headers } = accepted(
      header('POST /a?b HTTP/1.1', HOST, 'X-A:\t b \xa0', 'x-a: c', 'Content-Length: 5'),
    )
    expect({ method, target, bodyBytes, keepAlive }).toEqual({
      method: 'POST',
      target: '/a?b',
      bodyBytes: 5,
      keepAlive: true,
    })
    expect(headers.get('x-a')).toBe('b \xa0, c')
  })

  it.each([
    ['HTTP/1.1', '', true],
    ['HTTP/1.1', 'Connection: Keep-Alive', true],
    ['HTTP/1.1', 'Connection: Upgrade', true],
    ['HTTP/1.1', 'Connection: x, CLOSE', false],
    ['HTTP/1.0', '', false],
    ['HTTP/1.0', 'Connection: keep-alive', false],
  ])('%s with %j keeps the connection: %s', (version, line, keepAlive) => {
    expect(accepted(header(`GET / ${version}`, HOST, ...(line === '' ? [] : [line]))).keepAlive).toBe(
      keepAlive,
    )
  })

  it.each([
    ['POST / HTTP/1.1', 'Content-Length: 5', true],
    ['POST / HTTP/1.1', 'Content-Length: 0', false],
    ['GET / HTTP/1.1', 'Accept: */*', false],
    ['POST / HTTP/1.0', 'Content-Length: 5', false],
  ])('%s with %j and Expect is sent 100 Continue: %s', (line, length, expectsContinue) => {
    expect(accepted(header(line, HOST, length, 'Expect: 100-Continue')).expectsContinue).toBe(expectsContinue)
  })

  it('refuses every other expectation', () => {
    for (const value of ['tea', '', '100-continue, tea', '100-continue x'])
      expect(parse(header('POST / HTTP/1.1', HOST, `Expect: ${value}`))).toMatchObject({ status: 417 })
    expect(
      parse(header('POST / HTTP/1.1', HOST, 'Expect: 100-continue', 'Expect: 100-continue')),
    ).toMatchObject({
      status: 417,
    })
  })
})

describe('findHeaderEnd', () => {
  const HEADERS: readonly (readonly [row: string, text: string])[] = [
    ['as long as may be', sized(MAX_HEADER_BYTES)],
    ['one byte too long', sized(MAX_HEADER_BYTES + 1)],
    ['far too long', sized(MAX_HEADER_BYTES * 2)],
    ['malformed', `${header('GET / HTTP/1.1', 'A: \x00')}\r\n`],
    ['malformed and too long', `GET / HTTP/1.1\r\nA: \x00${'a'.repeat(MAX_HEADER_BYTES)}\r\n\r\n`],
    ['malformed behind what may be', `${sized(MAX_HEADER_BYTES + 9).slice(0, -4)}\x00\r\n\r\n`],
    ['bare carriage return', 'GET / HTTP/1.1\r\nA: b\rc\r\n\r\n'],
    ['bare line feed', 'GET / HTTP/1.1\r\nA: b\nc\r\n\r\n'],
    ['bare carriage return at the limit', `${sized(MAX_HEADER_BYTES).slice(0, -1)}x`],
  ]

  it.each(HEADERS)('gives the same verdict however the bytes were cut: %s', (_row, text) => {
    const bytes = Buffer.from(text, 'latin1')
    const whole = findHeaderEnd(bytes, 0)
    for (const step of [1, 2, 3, 1_000, 16_383, 16_384, 16_386]) {
      let [verdict, scanned]: [ReturnType<typeof findHeaderEnd>, number] = [null, 0]
      for (let size = step; verdict === null && scanned < bytes.length; size += step) {
        const received = bytes.subarray(0, size)
        verdict = findHeaderEnd(received, scanned)
        scanned = received.length
      }
      expect(verdict, `${step} bytes at a time`).toEqual(whole)
    }
  })

  it('waits for the rest of what may still become a header', () => {
    for (const text of ['', 'G', 'GET / HTTP/1.1\r', 'GET / HTTP/1.1\r\nA', 'GET / HTTP/1.1\r\nA: b\r\n\r'])
      expect(findHeaderEnd(Buffer.from(text), 0)).toBeNull()
  })

  /** A header of so many bytes, the empty line included. */
  function sized(bytes: number): string {
    const [start, end] = ['GET / HTTP/1.1\r\nA: ', '\r\n\r\n']
    return start + 'a'.repeat(bytes - start.length - end.length) + end
  }
})
