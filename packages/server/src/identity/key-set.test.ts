import { describe, expect, it } from 'vitest'
import { UnavailableError } from '../storage/unavailable-error.ts'
import { createVerifier } from './firebase/verifier.ts'
import { createRemoteKeys } from './key-set.ts'
import { createTestIssuer, ISSUER, PROJECT } from './testing/test-issuer.ts'

const START = Date.parse('2026-11-21T00:00:00Z')

/** A verifier over a key endpoint whose answers the test changes while time passes. */
async function setUp() {
  const state = { nowMs: START, fetches: 0, answer: (): Response | null => Response.error() }
  const now = () => state.nowMs
  const issuer = await createTestIssuer(now)
  const goodAnswer = () => Response.json(issuer.jwks, { headers: { 'Cache-Control': 'public, max-age=600' } })
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    state.fetches += 1
    return state.answer() ?? waitForAbort(init)
  }
  const keys = createRemoteKeys({ url: new URL('https://keys.test/'), fetch, now, timeoutMs: 20 })
  const verify = createVerifier({ issuer: ISSUER, audience: PROJECT, keys, now })
  const signIn = async () => (await verify(await issuer.sign(), { fresh: true })).ok
  return { state, issuer, goodAnswer, verify, signIn }
}

/** An endpoint that accepts and then says nothing. */
function waitForAbort(init: RequestInit | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
  })
}

const OUTAGES: readonly (readonly [row: string, answer: () => Response | null])[] = [
  ['an answer that never comes', () => null],
  ['status 500', () => new Response('', { status: 500 })],
  ['HTML with status 200', () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } })],
  ['JSON that is no key set', () => Response.json({ keys: 'none' })],
  ['a cut answer', () => new Response('{"keys":[')],
  [
    'a broken connection',
    () => {
      throw new TypeError('fetch failed')
    },
  ],
]

describe('the key set', () => {
  it.each(OUTAGES)('54 is a fault and never a verdict on %s', async (_row, answer) => {
    const { state, signIn } = await setUp()
    state.answer = answer
    await expect(signIn()).rejects.toBeInstanceOf(UnavailableError)
  })

  it.each(OUTAGES)('54 works with known keys through %s, but only till max-age', async (_row, answer) => {
    const { state, signIn, goodAnswer } = await setUp()
    state.answer = goodAnswer
    expect(await signIn()).toBe(true)
    state.answer = answer
    state.nowMs += 599_000
    expect(await signIn()).toBe(true)
    state.nowMs += 2_000
    await expect(signIn()).rejects.toBeInstanceOf(UnavailableError)
    state.answer = goodAnswer
    expect(await signIn()).toBe(true)
  })

  it('54 follows a rotation at the first token with a new key', async () => {
    const { state, verify, goodAnswer } = await setUp()
    const next = await createTestIssuer(() => state.nowMs, true)
    const renamed = { keys: next.jwks.keys.map((key) => ({ ...key, kid: 'next-key' })) }
    state.answer = goodAnswer
    const rotated = async () => (await verify(await next.sign({}, { kid: 'next-key' }), { fresh: true })).ok
    expect(await rotated()).toBe(false)
    state.answer = () => Response.json(renamed)
    expect(await rotated()).toBe(false)
    state.nowMs += 31_000
    expect(await rotated()).toBe(true)
  })

  it('does not ask the issuer again for every forged kid', async () => {
    const { state, issuer, verify, goodAnswer } = await setUp()
    state.answer = goodAnswer
    const forged = await issuer.sign({}, { kid: 'forged' })
    for (let count = 0; count < 50; count += 1) await verify(forged, { fresh: true })
    expect(state.fetches).toBe(1)
  })

  it('shares one request between sign-ins that come together', async () => {
    const { state, signIn, goodAnswer } = await setUp()
    state.answer = goodAnswer
    await Promise.all([signIn(), signIn(), signIn()])
    expect(state.fetches).toBe(1)
  })
})
