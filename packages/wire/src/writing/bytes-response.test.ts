import { describe, expect, it } from 'vitest'
import { DefaultHeaders, PlainHeaders } from '../plain-headers.ts'
import { BytesResponse } from './bytes-response.ts'

const PAIRS = [
  ['Host', 'portal.test'],
  ['COOKIE', 'a=1'],
  ['Accept', 'text/html'],
  ['cookie', 'b=2'],
  ['accept', '*/*'],
  ['X-Empty', ''],
] as const

/** The platform's response to the same headers, from which ours must not visibly differ. */
function platform(pairs: readonly (readonly [string, string])[]): Headers {
  const headers = new Headers()
  for (const [name, value] of pairs) headers.append(name, value)
  return headers
}

describe('PlainHeaders', () => {
  it('reads a request as the platform does', () => {
    const ours = PlainHeaders.from(PAIRS)
    const theirs = platform(PAIRS)
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

  it('holds defaults as the platform would after setting what is not there', () => {
    const defaults = { vary: 'Cookie', 'x-kept': 'default', 'x-gone': 'default', etag: '"default"' }
    const change = (headers: Headers, addDefaults: () => void) => {
      headers.set('X-Kept', 'own')
      addDefaults()
      headers.append('Vary', 'Accept')
      headers.delete('x-gone')
      headers.set('ETag', '"own"')
      headers.append('Set-Cookie', 'a=1')
      return headers
    }
    const [ours, theirs] = [new PlainHeaders(), new Headers()]
    change(ours, () => ours.addDefaults(new DefaultHeaders(Object.entries(defaults))))
    change(theirs, () => {
      for (const [name, value] of Object.entries(defaults)) if (!theirs.has(name)) theirs.set(name, value)
    })
    expect([...ours]).toEqual([...theirs])
    for (const name of ['Vary', 'x-kept', 'x-gone', 'etag']) {
      expect([ours.get(name), ours.has(name)], name).toEqual([theirs.get(name), theirs.has(name)])
    }
    expect(ours.serialize().split('\r\n').sort()).toEqual([
      '',
      ...[...theirs].map((field) => field.join(': ')),
    ])
  })

  it('judges defaults as it judges any header', () => {
    expect(() => new DefaultHeaders([['x-a', 'b\r\nc: d']])).toThrow(TypeError)
  })

  it('loses nothing when it is copied into the platform’s own', () => {
    const ours = PlainHeaders.from(PAIRS)
    expect([...new Headers(ours)]).toEqual([...ours])
    expect([...new Response(null, { headers: ours }).headers]).toEqual([...ours])
  })
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

  it('returns copies: what a caller does to them does not reach the cache', async () => {
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
