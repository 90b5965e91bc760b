import { describe, expect, it } from 'vitest'
import { createTestIssuer, ISSUER, PROJECT } from '../testing/test-issuer.ts'
import { createAssertions } from './assertions.ts'
import { createFirebaseProvider } from './provider.ts'
import { firebaseLogin } from './settings.ts'
import { createTokenExchange } from './token-exchange.ts'

const NOW = Date.parse('2026-11-21T00:00:00Z')
const now = () => NOW
const ORIGIN = new URL('https://portal.test')

async function revalidateWith(
  answer: (idToken: string) => Response | null,
  claims: Record<string, unknown> = {},
) {
  const issuer = await createTestIssuer(now)
  const idToken = await issuer.sign({ auth_time: NOW / 1_000 - 86_400, ...claims })
  const fetch: typeof globalThis.fetch = async (_url, init) => answer(idToken) ?? waitForAbort(init)
  const exchange = createTokenExchange({ apiKey: 'key', origin: ORIGIN, fetch, timeoutMs: 20 })
  const service = createAssertions({
    issuer: ISSUER,
    audience: PROJECT,
    keys: issuer.keys,
    exchange,
    now,
  })
  return service.revalidate('refresh-1')
}

/** A service that accepts and then says nothing. */
function waitForAbort(init: RequestInit | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
  })
}

const failure = (status: number, message: string) => () => Response.json({ error: { message } }, { status })

const ROWS: readonly (readonly [row: string, answer: () => Response | null, kind: string])[] = [
  ['an answer that never comes', () => null, 'unavailable'],
  ['USER_DISABLED', failure(400, 'USER_DISABLED'), 'gone'],
  ['USER_NOT_FOUND', failure(400, 'USER_NOT_FOUND'), 'gone'],
  ['TOKEN_EXPIRED with a sentence', failure(400, 'TOKEN_EXPIRED : sign in again'), 'gone'],
  ['INVALID_REFRESH_TOKEN', failure(400, 'INVALID_REFRESH_TOKEN'), 'gone'],
  ['a bad API key', failure(400, 'API key not valid. Please pass a valid API key.'), 'unclear'],
  ['a quota', failure(429, 'RESOURCE_EXHAUSTED'), 'unavailable'],
  ['a gone code from a broken server', failure(500, 'USER_DISABLED'), 'unavailable'],
  ['HTML', () => new Response('<html>'), 'unavailable'],
  [
    'an endless answer',
    () => {
      const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(65_536))
      return new Response(new ReadableStream({ pull }))
    },
    'unavailable',
  ],
  ['an empty success', () => Response.json({}), 'unclear'],
  ['a code nobody knows', failure(400, 'INVALID_GRANT_TYPE'), 'unclear'],
  [
    'no network',
    () => {
      throw new TypeError('fetch failed')
    },
    'unavailable',
  ],
]

describe('revalidate', () => {
  it('proves an account whose token can be exchanged', async () => {
    const answer = (idToken: string) => Response.json({ id_token: idToken, refresh_token: 'refresh-2' })
    expect(await revalidateWith(answer)).toMatchObject({ kind: 'proven', refreshToken: 'refresh-2' })
  })

  it.each(ROWS)('49 reads %s', async (_row, answer, kind) => {
    expect((await revalidateWith(answer)).kind).toBe(kind)
  })

  it.each([
    ['an address that is no longer verified', { email_verified: false }],
    ['no address any more', { email: undefined }],
    ['another provider', { firebase: { sign_in_provider: 'password' } }],
  ])('49 ends an account with %s', async (_row, claims) => {
    const answer = (idToken: string) => Response.json({ id_token: idToken, refresh_token: 'refresh-2' })
    expect(await revalidateWith(answer, claims)).toMatchObject({ kind: 'gone' })
  })

  it.each([
    ['a clock of ours that is behind', { iat: NOW / 1_000 + 120, auth_time: NOW / 1_000 + 120 }],
    ['a clock of ours that is ahead', { iat: NOW / 1_000 - 7_200, exp: NOW / 1_000 - 3_600 }],
    ['another project', { aud: 'other-1' }],
  ])('54 signs nobody out because of %s', async (_row, claims) => {
    const answer = (idToken: string) => Response.json({ id_token: idToken, refresh_token: 'refresh-2' })
    expect(await revalidateWith(answer, claims)).toMatchObject({ kind: 'unclear' })
  })

  it('54 ends no session because of a key that is not published yet', async () => {
    const other = await createTestIssuer(now, true)
    const idToken = await other.sign({}, { kid: 'next-key' })
    const answer = () => Response.json({ id_token: idToken, refresh_token: 'refresh-2' })
    expect(await revalidateWith(answer)).toMatchObject({ kind: 'unclear' })
  })
})

describe('createFirebaseProvider', () => {
  it('55 refuses demo projects', () => {
    const firebase = { projectId: 'demo-x', apiKey: 'k', authDomain: ORIGIN.host }
    const login = firebaseLogin(firebase)
    expect(() =>
      createFirebaseProvider({ issuer: ISSUER, login, firebase, origin: ORIGIN, fetch, now }),
    ).toThrow(TypeError)
  })
})
