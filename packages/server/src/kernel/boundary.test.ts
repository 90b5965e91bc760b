import { writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { UnavailableError } from '../storage/unavailable-error.ts'
import { createBoundary, type Exchange, type Handler } from './boundary.ts'

function answer(handler: Handler, init: RequestInit = {}, https = true) {
  const seen: Exchange[] = []
  const gate = createBoundary(handler, {
    https,
    newRequestId: () => 'request-1',
    elapsed: () => 0,
    observe: (exchange) => seen.push(exchange),
  })
  const request = new Request('https://portal.test/docs', init)
  return { response: gate(request, { clientAddress: '192.0.2.1' }), seen }
}

const EVERY_ANSWER = [
  ['cache-control', 'private, no-store'],
  ['content-security-policy', /default-src 'none'.*frame-ancestors 'none'/],
  ['strict-transport-security', /max-age=63072000/],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'same-origin'],
  ['permissions-policy', /camera=\(\)/],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['origin-agent-cluster', /^\?1$/],
  ['x-robots-tag', /noindex/],
  ['vary', /Cookie/i],
] as const

const HANDLERS: readonly (readonly [string, Handler, number])[] = [
  ['an answer', async () => new Response('hello'), 200],
  [
    'a fault',
    async () => {
      throw new Error('secret detail')
    },
    500,
  ],
  [
    'an outage',
    async () => {
      throw new UnavailableError('identity_unavailable', 'secret detail')
    },
    503,
  ],
]

/** Throws as Node's SQLite does without room for a row. */
function sqliteFull(): void {
  const db = new DatabaseSync(':memory:')
  db.exec('CREATE TABLE t (a TEXT); PRAGMA max_page_count = 2')
  db.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(100_000))
}

describe('a fault of where things are kept is an outage, and one of ours is none', () => {
  it.each<[string, () => void, number]>([
    ['a full database', sqliteFull, 503],
    [
      'a full disk, in whatever was made of it',
      () => {
        const cause = Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC' })
        throw new Error('the part could not be written', { cause })
      },
      503,
    ],
    [
      'a constraint that we broke',
      () => new DatabaseSync(':memory:').exec('CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1), (1)'),
      500,
    ],
  ])('%s', async (_name, fail, status) => {
    const response = await answer(async () => {
      fail()
      return new Response()
    }).response
    expect(response.status).toBe(status)
    expect(await response.text()).not.toMatch(/SQLITE|ENOSPC|full/)
  })

  it.runIf(process.platform === 'linux')('what the system says of a full device', async () => {
    const response = await answer(async () => {
      writeFileSync('/dev/full', 'x')
      return new Response()
    }).response
    expect(response.status).toBe(503)
  })
})

describe('the boundary', () => {
  it.each(HANDLERS)('completes the headers of %s', async (_name, handler, status) => {
    const response = await answer(handler).response
    expect(response.status).toBe(status)
    for (const [name, value] of EVERY_ANSWER) expect(response.headers.get(name), name).toMatch(value)
  })

  it('tells nothing of a fault but its request id, and hands the fault to the observer', async () => {
    const fault = new Error('secret detail')
    const { response, seen } = answer(() => Promise.reject(fault))
    const text = await (await response).text()
    expect(text).toContain('request-1')
    expect(text).not.toContain('secret')
    expect(seen[0]?.fault).toBe(fault)
  })

  it("keeps the maker's own header", async () => {
    const handler = async () => new Response('', { headers: { 'Cache-Control': 'public, max-age=1' } })
    expect((await answer(handler).response).headers.get('cache-control')).toBe('public, max-age=1')
  })

  it('promises https only over https', async () => {
    const response = await answer(async () => new Response(''), {}, false).response
    expect(response.headers.has('strict-transport-security')).toBe(false)
  })

  it('answers HEAD with the headers of GET and no body', async () => {
    const handler = async () => new Response('hello', { headers: { 'Content-Length': '5' } })
    const response = await answer(handler, { method: 'HEAD' }).response
    expect(response.headers.get('content-length')).toBe('5')
    expect(response.body).toBeNull()
  })
})
