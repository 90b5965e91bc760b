import { describe, expect, it } from 'vitest'
import { BytesResponse, changeHeaders } from './bytes-response.ts'
import { derive, PlainHeaders } from './plain-headers.ts'

const RAW = [
  'Host',
  'portal.test',
  'COOKIE',
  'a=1',
  'Accept',
  'text/html',
  'cookie',
  'b=2',
  'accept',
  '*/*',
  'X-Empty',
  '',
]

/** What the platform makes of the same headers: ours must not differ in anything a caller can see. */
function platform(raw: readonly string[]): Headers {
  const headers = new Headers()
  for (let index = 0; index < raw.length; index += 2) headers.append(raw[index] ?? '', raw[index + 1] ?? '')
  return headers
}

describe('PlainHeaders', () => {
  it('reads a request as the platform does', () => {
    const ours = PlainHeaders.fromWire(RAW)
    const theirs = platform(RAW)
    expect([...ours]).toEqual([...theirs])
    expect([...ours.keys()]).toEqual([...theirs.keys()])
    expect([...ours.values()]).toEqual([...theirs.values()])
    for (const name of ['host', 'Cookie', 'ACCEPT', 'x-empty', 'absent', 'set-cookie', '__proto__']) {
      expect(ours.get(name), name).toBe(theirs.get(name))
      expect(ours.has(name), name).toBe(theirs.has(name))
    }
  })

  it('changes as the platform does', () => {
    const change = (headers: Headers) => {
      headers.set('ETag', '"a"')
      headers.append('Vary', 'Accept-Encoding')
      headers.append('vary', 'Cookie')
      headers.append('Set-Cookie', 'a=1; Path=/')
      headers.append('set-cookie', 'b=2')
      headers.set('X-Gone', '1')
      headers.delete('x-gone')
      return headers
    }
    const [ours, theirs] = [change(new PlainHeaders()), change(new Headers())]
    expect([...ours]).toEqual([...theirs])
    expect(ours.getSetCookie()).toEqual(theirs.getSetCookie())
    expect(ours.get('Set-Cookie')).toBe(theirs.get('Set-Cookie'))
  })

  it('loses nothing when it is copied into the platform’s own', () => {
    const ours = PlainHeaders.fromWire(RAW)
    expect([...new Headers(ours)]).toEqual([...ours])
    expect([...new Response(null, { headers: ours }).headers]).toEqual([...ours])
  })
})

describe('sealed headers', () => {
  const CHANGES: readonly (readonly [row: string, change: (headers: PlainHeaders) => void])[] = [
    ['set', (headers) => headers.set('ETag', '"b"')],
    ['append', (headers) => headers.append('Vary', 'Cookie')],
    ['delete', (headers) => headers.delete('etag')],
    ['a cookie set', (headers) => headers.set('Set-Cookie', 'a=1')],
    ['a cookie appended', (headers) => headers.append('set-cookie', 'a=1')],
  ]

  it.each(CHANGES)('refuse every change: %s', (_row, change) => {
    const headers = new PlainHeaders({ ETag: '"a"', Vary: 'Accept' }).seal()
    expect(() => change(headers)).toThrow(TypeError)
    expect([...headers]).toEqual([
      ['etag', '"a"'],
      ['vary', 'Accept'],
    ])
  })

  it('are never shared with a cookie in them', () => {
    expect(() => new PlainHeaders({ 'X-A': '1' }).after(addCookie).seal()).toThrow(TypeError)
    expect(() => new PlainHeaders().seal().after(addCookie)).toThrow(TypeError)
  })

  it('are copied once for each change, and keep what they said', () => {
    const shared = new PlainHeaders({ ETag: '"a"' }).seal()
    const [one, two] = [
      new BytesResponse(null, { headers: shared }),
      new BytesResponse(null, { headers: shared }),
    ]
    changeHeaders(one, addVary)
    changeHeaders(two, addVary)
    expect(one.headers).toBe(two.headers)
    expect(one.headers.get('Vary')).toBe('Cookie')
    expect(shared.has('Vary')).toBe(false)
  })

  it('are not read again by whoever asks the same once more; others anew each time', () => {
    let readings = 0
    const readTag = (headers: Headers) => ({ tag: headers.get('ETag'), reading: ++readings })
    const readVary = (headers: Headers) => ({ vary: headers.get('Vary') })
    const shared = new PlainHeaders({ ETag: '"a"', Vary: 'Cookie' }).seal()
    expect([derive(shared, readTag), derive(shared, readTag)]).toEqual([
      { tag: '"a"', reading: 1 },
      { tag: '"a"', reading: 1 },
    ])
    expect(derive(shared, readVary)).toEqual({ vary: 'Cookie' })
    expect(derive(shared, readTag)).toEqual({ tag: '"a"', reading: 2 })
    const open = new PlainHeaders({ ETag: '"a"' })
    expect(derive(open, readTag)).toEqual({ tag: '"a"', reading: 3 })
    open.set('ETag', '"b"')
    expect(derive(open, readTag)).toEqual({ tag: '"b"', reading: 4 })
    expect(derive(new Headers({ ETag: '"c"' }), readTag).tag).toBe('"c"')
  })

  const addCookie = (headers: Headers) => headers.append('Set-Cookie', 'session=secret')
  const addVary = (headers: Headers) => headers.append('Vary', 'Cookie')
})

describe('BytesResponse', () => {
  const bytes = new Uint8Array(Buffer.from('{"a":"関所"}'))

  it('can be read in every way, and again', async () => {
    const answer = new BytesResponse(bytes, { status: 404, headers: { 'Content-Type': 'application/json' } })
    expect([answer.status, answer.ok, answer.headers.get('content-type')]).toEqual([
      404,
      false,
      'application/json',
    ])
    expect(await answer.json()).toEqual({ a: '関所' })
    expect(await answer.text()).toBe('{"a":"関所"}')
    expect(await answer.bytes()).toEqual(bytes)
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes)
    expect(await new Response(answer.body).text()).toBe('{"a":"関所"}')
  })

  it('gives out copies: what a caller does to them does not reach the cache', async () => {
    const answer = new BytesResponse(bytes)
    ;(await answer.bytes()).fill(0)
    expect(await answer.text()).toBe('{"a":"関所"}')
  })

  it('has no body for HEAD and keeps its headers', () => {
    const answer = new BytesResponse(bytes, { headers: { ETag: '"a"' } }).withoutBody()
    expect(answer.body).toBeNull()
    expect(answer.headers.get('ETag')).toBe('"a"')
  })
})
