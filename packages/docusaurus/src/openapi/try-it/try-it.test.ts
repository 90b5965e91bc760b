import { expect, it } from 'vitest'
import { filledRequest, readTryRequest, type TryField } from './request.ts'
import { sendGet } from './send.ts'

const field = (place: TryField['in'], name: string): TryField => ({
  ...{ in: place, name, required: false, value: '', values: [] },
})
const REQUEST = {
  path: '/v1/pages/{id}',
  fields: [field('path', 'id'), field('query', 'q'), field('query', 'n'), field('header', 'X-A')],
}

it('puts what was filled in where it belongs, and leaves out what is empty', () => {
  const values = { 'path id': 'a/b 版', 'query q': '環境 & x', 'query n': '', 'header X-A': '1' }
  expect(filledRequest(REQUEST, values)).toEqual({
    address: '/v1/pages/a%2Fb%20%E7%89%88?q=%E7%92%B0%E5%A2%83+%26+x',
    headers: { 'X-A': '1' },
  })
})

it.each(['//evil.test/x', '/\\evil.test', 'evil.test'])('asks this portal alone: %s', (path) => {
  const { address } = filledRequest({ path, fields: [] }, {})
  expect(new URL(address, 'https://portal.test/docs/a').origin).toBe('https://portal.test')
})

it('reads what a page offers, and nothing else', () => {
  expect(readTryRequest(JSON.stringify(REQUEST))).toEqual(REQUEST)
  for (const text of ['null', '{}', '{"path":1,"fields":[]}', '[]']) expect(readTryRequest(text)).toBeNull()
})

it('sends a GET with the session of this browser, to this origin alone, and shows what came back', async () => {
  const sent: unknown[] = []
  let nowMs = 0
  const fetcher: typeof fetch = async (address, init) => {
    sent.push(address, init)
    nowMs = 42
    return Response.json({ ok: true }, { status: 503 })
  }
  const answer = await sendGet(fetcher, { address: '/a', headers: { 'X-A': '1' } }, () => nowMs)
  expect(sent).toEqual([
    '/a',
    { headers: { 'X-A': '1' }, credentials: 'same-origin', mode: 'same-origin', cache: 'no-store' },
  ])
  expect(answer).toMatchObject({
    status: 503,
    tookMs: 42,
    bytes: 11,
    text: '{\n  "ok": true\n}',
    isCut: false,
  })
})

it.each([
  ['image/png', 'x', null, false],
  ['text/plain', 'x'.repeat(100_001), 'x'.repeat(100_000), true],
  ['application/problem+json', 'no json', 'no json', false],
])('shows of %s what can be read', async (type, body, text, isCut) => {
  const fetcher: typeof fetch = async () => new Response(body, { headers: { 'Content-Type': type } })
  expect(await sendGet(fetcher, { address: '/a', headers: {} }, () => 0)).toMatchObject({ text, isCut })
})
