import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHeadReader, type HeadReader, isMalformed } from './request-head.ts'

const readRequestHead = (text: string) => take(createHeadReader(), text).reading
/** Reads a head, of which `text` is all but the empty line, with `after` behind it, as a connection does. */
const take = (reader: HeadReader, text: string, after = '') => {
  const bytes = Buffer.from(`${text}\r\n${after}`, 'latin1')
  return reader.readRepeated(bytes) ?? reader.read(bytes, text.length - 2)
}
const head = (...lines: string[]) => lines.map((line) => `${line}\r\n`).join('')
const HOST = 'Host: portal.test'

const REFUSED: readonly (readonly [row: string, text: string, status: number])[] = [
  ['nothing', '\r\n', 400],
  ['an empty line first', head('', 'GET / HTTP/1.1', HOST), 400],
  ['two spaces', head('GET  / HTTP/1.1', HOST), 400],
  ['a tab for a space', head('GET\t/ HTTP/1.1', HOST), 400],
  ['a space at the end', head('GET / HTTP/1.1 ', HOST), 400],
  ['no version', head('GET /', HOST), 400],
  ['HTTP/2.0', head('GET / HTTP/2.0', HOST), 400],
  ['HTTP/1.2', head('GET / HTTP/1.2', HOST), 400],
  ['http in lower case', head('GET / http/1.1', HOST), 400],
  ['a method in lower case', head('get / HTTP/1.1', HOST), 400],
  ['a method nobody registered', head('SEKISHO / HTTP/1.1', HOST), 400],
  ['a byte beyond ASCII in the target', head('GET /\xe9 HTTP/1.1', HOST), 400],
  ['a target that is too long', head(`GET /${'a'.repeat(8_192)} HTTP/1.1`, HOST), 414],
  ['a longer target than any search has', head(`GET /search?q=${'a'.repeat(122_880)} HTTP/1.1`, HOST), 414],
  ['a long target beside the search', head(`GET /searching?q=${'a'.repeat(8_192)} HTTP/1.1`, HOST), 414],
  ['a long target of a POST', head(`POST /__gate/search?q=${'a'.repeat(8_192)} HTTP/1.1`, HOST), 414],
  ['a long path of the search', head(`GET /search/${'a'.repeat(8_192)} HTTP/1.1`, HOST), 414],
  ['a search with long fields', head('GET /search?q=a HTTP/1.1', HOST, `A: ${'a'.repeat(16_384)}`), 431],
  ['a bare line feed', 'GET / HTTP/1.1\nHost: portal.test\r\n', 400],
  ['a bare carriage return', head('GET / HTTP/1.1', 'A: b\rC: d'), 400],
  ['NUL', head('GET / HTTP/1.1', 'A: \0'), 400],
  ['DEL', head('GET / HTTP/1.1', 'A: \x7f'), 400],
  ['a folded line', head('GET / HTTP/1.1', 'A: b', ' c'), 400],
  ['a space before the colon', head('GET / HTTP/1.1', 'A : b'), 400],
  ['a name of nothing', head('GET / HTTP/1.1', ': b'), 400],
  ['a line without a colon', head('GET / HTTP/1.1', 'A', 'B: c'), 400],
  ['a name beyond ASCII', head('GET / HTTP/1.1', '\xe9: b'), 400],
  ['101 fields', head('GET / HTTP/1.1', ...Array.from({ length: 101 }, (_, n) => `A${n}: b`)), 431],
  ['19 two Hosts', head('GET / HTTP/1.1', HOST, HOST), 400],
  ['33 two lengths that agree', head('POST / HTTP/1.1', 'Content-Length: 1', 'content-length: 1'), 400],
  ['33 a list of lengths', head('POST / HTTP/1.1', 'Content-Length: 1, 1'), 400],
  ['33 a signed length', head('POST / HTTP/1.1', 'Content-Length: +1'), 400],
  ['33 a length in hex', head('POST / HTTP/1.1', 'Content-Length: 0x1'), 400],
  ['33 a length of nothing', head('POST / HTTP/1.1', 'Content-Length:'), 400],
  ['33 a length beyond counting', head('POST / HTTP/1.1', `Content-Length: ${'9'.repeat(16)}`), 400],
  ['33 a body of GET', head('GET / HTTP/1.1', 'Content-Length: 1'), 400],
  ['33 chunks', head('POST / HTTP/1.1', 'Transfer-Encoding: chunked'), 411],
  ['33 chunks and a length', head('POST / HTTP/1.1', 'Transfer-Encoding: chunked', 'Content-Length: 1'), 400],
  ['33 chunks of HTTP/1.0', head('POST / HTTP/1.0', 'Transfer-Encoding: chunked'), 400],
  ['33 another coding', head('POST / HTTP/1.1', 'Transfer-Encoding: xchunked'), 400],
  [
    '33 a coding named twice',
    head('POST / HTTP/1.1', 'Transfer-Encoding: chunked', 'Transfer-Encoding: x'),
    400,
  ],
  ['33 a coding after a vertical tab', head('POST / HTTP/1.1', 'Transfer-Encoding: \x0bchunked'), 400],
]

describe('readRequestHead', () => {
  it.each(REFUSED)('refuses %s', (_row, text, status) => {
    expect(readRequestHead(text)).toEqual({ kind: 'refused', status })
  })

  it('reads what is well formed', () => {
    const reading = readRequestHead(
      head('POST /a?b HTTP/1.1', HOST, 'X-A:\t b \xa0', 'x-a: c', 'Content-Length: 5'),
    )
    if (reading.kind !== 'read') throw new Error(`refused with ${reading.status}`)
    const { method, target, bodyBytes, keepAlive, headers } = reading.head
    expect({ method, target, bodyBytes, keepAlive }).toEqual({
      method: 'POST',
      target: '/a?b',
      bodyBytes: 5,
      keepAlive: true,
    })
    expect(headers.get('x-a')).toBe('b \xa0, c')
  })

  it.each(['/search?q=', '/__gate/search?q='])('reads 10,000 characters of any script after %s', (path) => {
    for (const character of ['あ', '𠮷']) {
      const target = path + encodeURIComponent(character.repeat(10_000))
      expect(readRequestHead(head(`GET ${target} HTTP/1.1`, HOST))).toMatchObject({ head: { target } })
    }
  })

  it.each([
    ['HTTP/1.1', '', true],
    ['HTTP/1.1', 'Connection: Keep-Alive', true],
    ['HTTP/1.1', 'Connection: x, CLOSE', false],
    ['HTTP/1.0', '', false],
    ['HTTP/1.0', 'Connection: keep-alive', false],
  ])('%s with %j keeps the connection: %s', (version, line, keepAlive) => {
    const reading = readRequestHead(head(`GET / ${version}`, HOST, ...(line === '' ? [] : [line])))
    expect(reading.kind === 'read' && reading.head.keepAlive).toBe(keepAlive)
  })
})

describe('createHeadReader', () => {
  it('reads each head of a connection as if it were the only one', () => {
    const anyHead = fc.constantFrom(
      head('GET /a HTTP/1.1', HOST, 'Cookie: a=1'),
      head('GET /b HTTP/1.1', HOST, 'Cookie: a=1'),
      head('HEAD /b HTTP/1.0', HOST, 'Cookie: a=1'),
      head('GET /a HTTP/1.1', HOST, 'Cookie: a=2'),
      head('POST /a HTTP/1.1', HOST, 'Content-Length: 1'),
      head('GET /a HTTP/1.1', HOST, 'Content-Length: 1'),
      head('GET /a HTTP/1.1', HOST, HOST),
      head('GET /a HTTP/1.1', HOST, 'Cookie : a=1'),
      head('GET /a HTTP/1.1', HOST, `X-Long: ${'a'.repeat(5_000)}`),
    )
    fc.assert(
      fc.property(
        fc.array(anyHead),
        fc.constantFrom('', 'G', HOST, head('GET /c HTTP/1.1', HOST)),
        (heads, after) => {
          const reader = createHeadReader()
          for (const text of heads) {
            const { reading, bytes } = take(reader, text, after)
            expect(bytes).toBe(text.length + 2)
            expect(describeReading(reading)).toEqual(describeReading(readRequestHead(text)))
          }
        },
      ),
    )
  })

  it('takes no head for repeated that differs from the last in one byte of its fields, or has not ended yet', () => {
    const fields = head(HOST, 'Cookie: a=1', 'Accept: */*')
    const line = head('GET /a HTTP/1.1')
    const anyPlace = fc.nat(fields.length + 1)
    fc.assert(
      fc.property(anyPlace, fc.integer({ min: 0, max: 255 }), (place, byte) => {
        const reader = createHeadReader()
        take(reader, line + fields)
        const whole = Buffer.from(`${line}${fields}\r\n`, 'latin1')
        expect(reader.readRepeated(whole)?.bytes).toBe(whole.length)
        expect(reader.readRepeated(whole.subarray(0, line.length + place))).toBeNull()
        const changed = Buffer.from(whole)
        changed[line.length + place] = byte
        expect(reader.readRepeated(changed) === null).toBe(!changed.equals(whole))
      }),
    )
  })

  it('gives out headers that no request can change for the next', () => {
    const reader = createHeadReader()
    const text = head('GET /a HTTP/1.1', HOST, 'Cookie: a=1')
    const { reading } = take(reader, text)
    if (reading.kind !== 'read') throw new Error('refused')
    expect(() => reading.head.headers.set('Cookie', 'a=2')).toThrow(TypeError)
  })
})

function describeReading(reading: ReturnType<typeof readRequestHead>): object {
  return reading.kind === 'refused' ? reading : { ...reading.head, headers: [...reading.head.headers] }
}

describe('isMalformed', () => {
  it('waits for the rest of what may still become a head', () => {
    for (const text of ['', 'G', 'GET / HTTP/1.1\r', 'GET / HTTP/1.1\r\nA'])
      expect(isMalformed(text)).toBe(false)
  })
})

/** Node's own reader, as strict as it can be made, to hold ours against: whatever we accept, it must read alike. */
describe('beside llhttp', () => {
  interface Seen {
    readonly method: string | undefined
    readonly url: string | undefined
    readonly fields: readonly string[]
    readonly body: string
  }
  const seen: Seen[] = []
  const server = createServer(
    { insecureHTTPParser: false, requireHostHeader: false },
    async (message, answer) => {
      seen.push({
        method: message.method,
        url: message.url,
        fields: fieldsOf(message),
        body: await bodyOf(message),
      })
      answer.end()
    },
  )
  for (const event of ['checkContinue', 'checkExpectation'] as const)
    server.on(event, (message, answer) => server.emit('request', message, answer))
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  it('never reads a request that it does not read, or differently', async () => {
    await fc.assert(
      fc.asyncProperty(ARBITRARY_HEAD, async (text) => {
        const reading = readRequestHead(text)
        if (reading.kind !== 'read') return
        const { method, target, headers, bodyBytes } = reading.head
        seen.length = 0
        const body = 'x'.repeat(Math.min(bodyBytes, 64))
        await sendBytes((server.address() as AddressInfo).port, `${text}\r\n${body}`)
        if (bodyBytes > 64) return // its end would not be waited for
        expect(seen).toEqual([{ method, url: target, fields: [...headers].flat(), body }])
      }),
      { numRuns: 1_000 },
    )
  })
})

const token = fc.constantFrom(
  'A',
  'x-a',
  'Host',
  'Accept',
  'Cookie',
  'content-length',
  'Connection',
  'Expect',
  'A ',
  'é',
)
const value = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'portal.test',
    '0',
    '5',
    '05',
    '+5',
    'close',
    'keep-alive',
    '\t b ',
    '\xa0',
    'a\x0bb',
    '100-continue',
  ),
  fc.string({
    unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
    maxLength: 8,
  }),
)
const lineEnd = fc.oneof({ weight: 30, arbitrary: fc.constant('\r\n') }, fc.constantFrom('\n', '\r', '\r\n '))
const field = fc.tuple(token, fc.constantFrom(':', ': ', ' :'), value, lineEnd).map((parts) => parts.join(''))
const requestLine = fc
  .tuple(
    fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'QUERY', 'get', 'X'),
    fc.constantFrom(' ', ' ', ' ', '  ', '\t'),
    fc.constantFrom('/', '/a%20b', '//x', '*', 'http://portal.test/', '/\xe9', '/a b', '/?%zz'),
    fc.constantFrom(' HTTP/1.1', ' HTTP/1.1', ' HTTP/1.0', ' HTTP/1.9', '', ' HTTP/1.1 '),
    lineEnd,
  )
  .map((parts) => parts.join(''))
const ARBITRARY_HEAD = fc
  .tuple(requestLine, fc.array(field, { maxLength: 4 }))
  .map(([line, fields]) => line + fields.join(''))

/** The same shape ours has: lower case, joined, sorted. */
function fieldsOf({ rawHeaders }: IncomingMessage): readonly string[] {
  const headers = new Map<string, string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase()
    const known = headers.get(name)
    const join = name === 'cookie' ? '; ' : ', '
    headers.set(
      name,
      known === undefined ? (rawHeaders[index + 1] ?? '') : known + join + rawHeaders[index + 1],
    )
  }
  return [...headers].sort(([a], [b]) => (a < b ? -1 : 1)).flat()
}

async function bodyOf(message: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of message) text += String(chunk)
  return text
}

async function sendBytes(port: number, bytes: string): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.end(Buffer.from(bytes, 'latin1'))
  socket.resume()
  await once(socket, 'close')
}
