import { describe, expect, it } from 'vitest'
import { listSessions } from './own-sessions.ts'
import { askForPage, askSession } from './session-api.ts'
import { endSession, SignOutError } from './sign-out.ts'

const answering = (status: number, body?: unknown): typeof fetch => {
  return async () => (body === undefined ? new Response(null, { status }) : Response.json(body, { status }))
}
const unreachable: typeof fetch = async () => {
  throw new TypeError('Failed to fetch')
}

describe('askSession', () => {
  it.each([
    ['a session', answering(200, { email: 'a@b.test', name: null, expiresAtMs: 1 }), 'signed-in'],
    ['no session', answering(401, { code: 'signed_out' }), 'signed-out'],
    ['no gate', answering(404), 'unknown'],
    ['a gate in trouble', answering(503, {}), 'unknown'],
    ['something that is no JSON', async () => new Response('<!doctype html>'), 'unknown'],
    ['JSON that names nobody', answering(200, {}), 'unknown'],
    ['no network', unreachable, 'unknown'],
  ])('%s', async (_what, fetcher, kind) => {
    expect((await askSession(fetcher)).kind).toBe(kind)
  })
})

describe('endSession', () => {
  it.each([204, 401])('counts %d as ended', async (status) => {
    await expect(endSession(answering(status), 'here')).resolves.toBeNull()
  })

  it('says where the provider ends its own', async () => {
    const headers = { Location: 'https://op.test/end?client_id=portal' }
    const fetcher: typeof fetch = async () => new Response(null, { status: 204, headers })
    await expect(endSession(fetcher, 'here')).resolves.toBe(headers.Location)
  })

  it.each([
    ['403', answering(403)],
    ['503', answering(503)],
    ['no network', unreachable],
  ])('does not pretend after %s', async (_what, fetcher) => {
    await expect(endSession(fetcher, 'here')).rejects.toBeInstanceOf(SignOutError)
  })

  it.each([
    ['here', '/__gate/session'],
    ['everywhere', '/__gate/sessions'],
    [{ id: 'a&b' }, '/__gate/sessions?id=a%26b'],
  ] as const)('ends sessions %j at %s', async (scope, endpoint) => {
    const asked: unknown[] = []
    const fetcher: typeof fetch = async (input) => {
      asked.push(input)
      return new Response(null, { status: 204 })
    }
    await endSession(fetcher, scope)
    expect(asked).toEqual([endpoint])
  })
})

describe('askForPage', () => {
  const timing = { headers: { 'Server-Timing': 'cache;dur=1, release;desc="20261122T211116Z-80fda714"' } }
  const page: typeof fetch = async () => new Response(null, timing)

  it.each([
    ['a page', page, { isSignedOut: false, isMissing: false, release: '20261122T211116Z-80fda714' }],
    ['a page that is not there', answering(404), { isSignedOut: false, isMissing: true, release: null }],
    ['an ended session', answering(401), { isSignedOut: true, isMissing: false, release: null }],
    ['a gate in trouble', answering(503), { isSignedOut: false, isMissing: false, release: null }],
    ['no network', unreachable, { isSignedOut: false, isMissing: false, release: null }],
  ])('%s', async (_what, fetcher, status) => {
    expect(await askForPage(fetcher, '/docs')).toEqual(status)
  })
})

describe('listSessions', () => {
  const here = {
    id: 'a',
    device: 'Firefox / Linux',
    place: null,
    startedAtMs: 1,
    lastSeenAtMs: 2,
    isThisOne: true,
  }

  it('returns what the gate lists', async () => {
    expect(await listSessions(answering(200, { sessions: [here] }))).toEqual([here])
  })

  it.each([
    ['an ended session', answering(401, { sessions: [here] })],
    ['something else', answering(200, { sessions: 'none' })],
    ['a list of something else', answering(200, { sessions: [null, 1, { startedAtMs: 'x' }] })],
    ['nothing', answering(200)],
    ['no network', unreachable],
  ])('returns nothing for %s', async (_what, fetcher) => {
    expect(await listSessions(fetcher)).toEqual([])
  })
})
