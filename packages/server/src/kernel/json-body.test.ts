import { expect, it } from 'vitest'
import { readFormBody, readJsonBody } from './json-body.ts'

const request = (body: string | Uint8Array<ArrayBuffer>, type: string) =>
  new Request('https://portal.test/', { method: 'POST', body, headers: { 'Content-Type': type } })
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

it.each([
  ['a value', '{"a":"日本"}', { kind: 'read', value: { a: '日本' } }],
  ['what is no JSON', '{', { kind: 'malformed' }],
  ['nothing', '', { kind: 'malformed' }],
  ['bytes that are no UTF-8', bytes('{"a":"\xff"}'), { kind: 'malformed' }],
  ['a character that is cut', bytes('"\xe6\x97"'), { kind: 'malformed' }],
  ['as many bytes as may be', `"${'x'.repeat(18)}"`, { kind: 'read', value: 'x'.repeat(18) }],
  ['one more', `"${'x'.repeat(19)}"`, { kind: 'too_large' }],
])('reads %s', async (_what, body, read) => {
  expect(await readJsonBody(request(body, 'application/json'), 20)).toEqual(read)
})

it.each([
  ['application/json; charset=UTF-8', 'read'],
  ['application/json; charset=shift_jis', 'malformed'],
  ['application/json, text/plain', 'malformed'],
  ['text/plain', 'malformed'],
])('of a body that is said to be %s: %s', async (type, kind) => {
  expect(await readJsonBody(request('1', type), 20)).toMatchObject({ kind })
})

it('reads forms of that type alone, and no longer ones', async () => {
  const form = 'application/x-www-form-urlencoded'
  expect(String(await readFormBody(request('a=1&b=%E6%97%A5', form), 20))).toBe('a=1&b=%E6%97%A5')
  expect(await readFormBody(request(`a=${'1'.repeat(19)}`, form), 20)).toBeNull()
  expect(await readFormBody(request('a=1', 'text/plain'), 20)).toBeNull()
})
