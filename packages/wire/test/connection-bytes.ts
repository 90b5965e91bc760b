import fc from 'fast-check'

/** Bytes of one connection, and where they are cut into packets. */
export interface ConnectionBytes {
  readonly text: string
  readonly cuts: readonly number[]
  /** Every request in it must be answered. */
  readonly isWellFormed: boolean
}

/** Cuts bytes at the places named; places beyond the end and doubled ones do nothing. */
export function cut({ text, cuts }: ConnectionBytes): readonly Buffer[] {
  const bytes = Buffer.from(text, 'latin1')
  const places = [...new Set(cuts.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  const pieces = [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length))
  return pieces.filter((piece) => piece.length > 0)
}

const often = <T>(usual: T, ...rare: readonly T[]) =>
  fc.oneof({ weight: 20, arbitrary: fc.constant(usual) }, fc.constantFrom(usual, ...rare))

const anyBytes = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 8,
})
const lineEnd = often('\r\n', '\n', '\r', '\r\n ', '\r\r\n', '\r\n\t', '\n\r\n')
const separator = often(': ', ':', ':\t', ' :', ' ', ':: ')
const usualNames = ['Accept', 'X-A', 'x-a', 'Cookie', 'Content-Type', 'Connection', 'Expect']
const framingNames = ['Host', 'Content-Length', 'Transfer-Encoding', 'Upgrade', 'Content-Length ']
const oddNames = ['A ', ' A', '\xe9', '', 'A\x00', 'X(A)', 'A b']
const name = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...usualNames) },
  { weight: 3, arbitrary: fc.constantFrom(...framingNames) },
  fc.constantFrom(...oddNames),
)
const lengths = ['0', '1', '5', '05', '+5', '-1', '0x5', '5, 5', '5 5', '18446744073709551616']
const codings = ['chunked', 'xchunked', 'chunked, chunked', 'gzip', 'identity']
const tokens = ['close', 'keep-alive', 'Upgrade', 'close, x', '100-continue', 'websocket', 'h2c']
const value = fc.oneof(
  fc.constantFrom('', ' ', 'a', '\t b ', '\xa0', '\xa0a', 'a\x0bb', 'a=1', 'a=2', 'session=x; b="c"'),
  fc.constantFrom(...lengths, ...codings, ...tokens),
  anyBytes,
)
const field = fc.tuple(name, separator, value, lineEnd).map((parts) => parts.join(''))
/** Header sections come from a small stock, so that a connection's requests repeat them whole or but for one value. */
const stock = fc.constantFrom(
  'Host: portal.test\r\n',
  'Host: portal.test\r\nCookie: a=1\r\nAccept: */*\r\n',
  'Host: portal.test\r\nCookie: a=2\r\nAccept: */*\r\n',
  'Host: portal.test\r\nCookie: a=1\r\nCookie: b=2\r\n',
  'Host: portal.test\r\nX-A: 1\r\nX-A: 2\r\n',
  'Host: portal.test\r\nHost: portal.test\r\n',
  `Host: portal.test\r\nX-Long: ${'a'.repeat(5_000)}\r\n`,
)
const headerSection = fc.oneof(
  { weight: 2, arbitrary: stock },
  fc.tuple(stock, fc.array(field, { maxLength: 4 })).map(([usual, more]) => usual + more.join('')),
)
const methods = ['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'QUERY']
const targets = ['/', '/a%20b', '//x', '/?%zz', '/a?b=c', '/\x7e']
const oddTargets = ['*', 'http://portal.test/', '/\xe9', '/a b', '/a\x00', '/#x', '', 'a']
const requestLine = fc
  .tuple(
    fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...methods) }, fc.constantFrom('get', 'X', 'G\x00', '')),
    often(' ', '  ', '\t', ''),
    fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...targets) }, fc.constantFrom(...oddTargets)),
    often(' HTTP/1.1', ' HTTP/1.0', ' HTTP/1.9', ' HTTP/2.0', '', ' HTTP/1.1 ', ' http/1.1', ' HTTP/01.1'),
    lineEnd,
  )
  .map((parts) => parts.join(''))
const body = fc.constantFrom(
  '',
  'hello',
  'GET /hidden HTTP/1.1\r\nHost: portal.test\r\n\r\n',
  '0\r\n\r\n',
  '5\r\nhello\r\n0\r\n\r\n',
  '\r\n',
)
/** Serializes a body in chunks of one size; a hostile one differs from that in one place. */
function inChunks(bytes: string, size: number, digits = (count: number) => count.toString(16)): string {
  const pieces = bytes.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
  return `${pieces.map((piece) => `${digits(piece.length)}\r\n${piece}\r\n`).join('')}0\r\n\r\n`
}
const digits = fc.constantFrom(
  (count: number) => count.toString(16),
  (count: number) => count.toString(16).toUpperCase(),
  (count: number) => count.toString(16).padStart(8, '0'),
)
const chunked = fc.tuple(body, fc.integer({ min: 1, max: 50 }), digits).map((parts) => inChunks(...parts))
const oddSizes = [
  '+5',
  '-5',
  '0x5',
  '5 ',
  ' 5',
  '5;a=b',
  '5;\n',
  '',
  'g',
  '100000005',
  'ffffffff',
  '6',
  '4',
  '\xa05',
]
const oddChunks = fc
  .tuple(
    fc.constantFrom('5', '5', '+5', ...oddSizes),
    often('\r\n', '\n', '\r', '\r\r\n', ''),
    fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', 'xx', '\rx', ''),
    often('0', '00', '000000000', '0;a', '-0', '0 '),
    often('\r\n', '\n', '\rX', ''),
    often('\r\n', 'A: b\r\n\r\n', 'Host: evil\r\n\r\n', '\n', '\r', ''),
  )
  .map(
    ([size, sizeEnd, dataEnd, last, lastEnd, end]) =>
      `${size + sizeEnd}hello${dataEnd}${last}${lastEnd}${end}`,
  )
const chunkedHeader = often(
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: Chunked\r\n',
  'Transfer-Encoding: gzip, chunked\r\n',
  'Transfer-Encoding: xchunked\r\n',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: \r\n',
  'Transfer-Encoding : chunked\r\n',
  'Transfer-Encoding:\x0bchunked\r\n',
  'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
  'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n',
)
/** A body and the header that says its length, rightly or not; it may follow a header section that names another one. */
const framedBody = fc.oneof(
  { weight: 4, arbitrary: fc.constant(['', ''] as const) },
  { weight: 2, arbitrary: body.map((bytes) => [`Content-Length: ${bytes.length}\r\n`, bytes] as const) },
  body.map((bytes) => ['', bytes] as const),
  { weight: 3, arbitrary: fc.tuple(chunkedHeader, fc.oneof(body, chunked, oddChunks, oddChunks)) },
  fc
    .tuple(body, fc.constantFrom('-1', '+1', '2', '0x2'))
    .map(([bytes, length]) => [`Content-Length: ${length}\r\n`, bytes] as const),
)
const request = fc
  .tuple(requestLine, headerSection, framedBody, often('\r\n', '\n', '\r', '', '\r\n\r\n'))
  .map(([line, section, [length, bytes], end]) => line + section + length + end + bytes)

const plainHeaders = fc.constantFrom(
  '',
  'Cookie: a=1\r\n',
  'Cookie: a=2\r\n',
  'Cookie:a=1\r\ncookie: \t b=2 \r\n',
  'X-A: \xa0 b\xe9\r\nx-a: \r\n',
  'Upgrade-Insecure-Requests: 1\r\n',
  `X-Long: ${'a'.repeat(3_000)}\r\n`,
)
const plainRequest = fc
  .tuple(
    fc.constantFrom('GET', 'HEAD', 'POST', 'PUT'),
    fc.constantFrom(...targets),
    plainHeaders,
    plainHeaders,
    fc.oneof(
      body.map((bytes) => [`Content-Length: ${bytes.length}\r\n`, bytes] as const),
      chunked.map((bytes) => ['Transfer-Encoding: chunked\r\n', bytes] as const),
    ),
  )
  .map(([method, target, first, second, framed]) => {
    const [framing, content] = method.startsWith('P') ? framed : ['', '']
    return `${method} ${target} HTTP/1.1\r\n${first}Host: portal.test\r\n${framing}${second}\r\n${content}`
  })

const cuts = fc.array(fc.nat(8_000), { maxLength: 6 })
const pipelineOf = (requests: fc.Arbitrary<string>) =>
  fc.array(requests, { minLength: 1, maxLength: 5 }).map((all) => all.join(''))

/** Connections of one to five requests, cut anywhere: of some every byte is beyond doubt, in others anything may be wrong. */
export const anyConnection: fc.Arbitrary<ConnectionBytes> = fc.oneof(
  fc.record({ text: pipelineOf(request), cuts, isWellFormed: fc.constant(false) }),
  fc.record({ text: pipelineOf(plainRequest), cuts, isWellFormed: fc.constant(true) }),
)
