import { beforeEach, describe, expect, it } from 'vitest'
import type { PublishRule } from '../../config/publish-rules.ts'
import { createTestIssuer, type TestIssuer } from '../../identity/testing/index.ts'
import { createCiVerifier } from './ci-token.ts'

const NOW_MS = Date.parse('2026-11-21T00:00:00Z')
const GITLAB = 'https://gitlab.test'
const ORIGIN = new URL('https://portal.test')
const RULE: PublishRule = {
  issuer: GITLAB,
  repository: { claim: 'project_id', id: '42' },
  ...{ ref: 'refs/heads/main', may: ['publish'], audience: null, environment: null },
}

let issuer: TestIssuer

beforeEach(async () => {
  issuer = await createTestIssuer(() => NOW_MS)
})

interface Served {
  /** In the place of the issuer's own document. */
  readonly document?: object
  readonly at?: string
}

/** Judges a GitLab job's token with these claims, from an issuer that serves its document and keys so. */
async function judge(
  rules: readonly PublishRule[],
  claims: object = {},
  { document, at = GITLAB }: Served = {},
) {
  const asked: string[] = []
  const send: typeof fetch = async (url, init) => {
    asked.push(String(url))
    expect(init?.redirect, 'nobody else may say which keys count').toBe('error')
    if (!String(url).endsWith('/openid-configuration')) return Response.json(issuer.jwks)
    return Response.json(document ?? { issuer: GITLAB, jwks_uri: `${at}/keys` })
  }
  const verify = createCiVerifier({ rules: () => rules, origin: ORIGIN, fetch: send, now: () => NOW_MS })
  const seconds = NOW_MS / 1_000
  const token = await issuer.sign({
    ...{ iss: GITLAB, aud: ORIGIN.origin, sub: 'job', jti: 'one', iat: seconds, exp: seconds + 300 },
    ...{ project_id: '42', ref: 'main', ref_type: 'branch', pipeline_source: 'push' },
    ...{
      auth_time: undefined,
      email: undefined,
      firebase: undefined,
      name: undefined,
      email_verified: undefined,
    },
    ...claims,
  })
  const verdict = await verify(token)
  return { outcome: verdict.ok ? 'ok' : verdict.reason, verdict, asked }
}

it.each([
  ['a push to the branch', {}, 'ok'],
  ['the web, a schedule and the API', { pipeline_source: 'schedule' }, 'ok'],
  ['a tag of the name of the branch', { ref_type: 'tag' }, 'ref'],
  ['a merge request, which has its whole ref', { ref_path: 'refs/merge-requests/1/head' }, 'ref'],
  ['a merge request’s event', { pipeline_source: 'merge_request_event' }, 'event'],
  ['another project’s pipeline', { pipeline_source: 'pipeline' }, 'event'],
  ['a trigger token', { pipeline_source: 'trigger' }, 'event'],
  ['no source', { pipeline_source: undefined }, 'event'],
  ['another project', { project_id: '43' }, 'repository'],
])('of GitLab, %s', async (_name, claims, outcome) => {
  expect((await judge([RULE], claims)).outcome).toBe(outcome)
})

it('asks for the environment that a rule names', async () => {
  const rules = [{ ...RULE, environment: 'documentation' }]
  expect((await judge(rules)).outcome).toBe('environment')
  expect((await judge(rules, { environment: 'staging' })).outcome).toBe('environment')
  expect((await judge(rules, { environment: 'documentation' })).outcome).toBe('ok')
})

it.each([
  ['another environment', { environment: 'documentation' }],
  ['another audience', { audience: 'https://other.test' }],
  ['another repository', { repository: { claim: 'project_id', id: '43' } as const }],
])('takes the first rule that fits in everything, behind one for %s', async (_name, changes) => {
  const behind: PublishRule = { ...RULE, may: ['preview'] }
  const { verdict } = await judge([{ ...RULE, ...changes }, behind])
  expect(verdict.ok && verdict.rule).toEqual(behind)
  expect((await judge([{ ...RULE, ...changes }])).outcome).not.toBe('ok')
})

it('says of several rules what the nearest lacks', async () => {
  const far: PublishRule = { ...RULE, repository: { claim: 'project_id', id: '43' } }
  const near: PublishRule = { ...RULE, environment: 'documentation' }
  expect((await judge([near, far, { ...RULE, ref: 'refs/heads/other' }])).outcome).toBe('environment')
})

it('never lets a token for the audience of one rule count for another', async () => {
  const other: PublishRule = {
    ...RULE,
    ref: 'refs/heads/preview',
    may: ['preview'],
    audience: 'https://other.test',
  }
  expect((await judge([RULE, other], { aud: 'https://other.test' })).outcome).toBe('claims')
  expect((await judge([RULE, other], { aud: 'https://other.test', ref: 'preview' })).outcome).toBe('ok')
  expect((await judge([RULE, other], { ref: 'preview' })).outcome).toBe('claims')
})

it('keeps the id of a token until nobody believes the token any more', async () => {
  const { verdict } = await judge([RULE])
  expect(verdict.ok && verdict.spend.expiresAtMs).toBeGreaterThanOrEqual(NOW_MS + 330_000)
})

it.each([
  ['of another issuer', { document: { issuer: 'https://evil.test', jwks_uri: `${GITLAB}/keys` } }],
  ['without keys', { document: { issuer: GITLAB } }],
  ['that names keys over http', { at: 'http://gitlab.test' }],
])('believes no document %s', async (_name, served) => {
  await expect(judge([RULE], {}, served)).rejects.toThrow("the CI's keys cannot be found")
})

it('reads no token that is longer than any CI writes, and asks nobody about it', async () => {
  const { outcome, asked } = await judge([RULE], { more: 'x'.repeat(9_000) })
  expect([outcome, asked]).toEqual(['issuer', []])
})

describe('an issuer that does not answer as it should', () => {
  const verifierOf = (send: typeof fetch, now = () => NOW_MS) =>
    createCiVerifier({ rules: () => [RULE], origin: ORIGIN, fetch: send, now, timeoutMs: 100 })
  const FORGED = [{ alg: 'RS256', kid: 'x' }, { iss: GITLAB }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat('AAAA')
    .join('.')

  it.each(['/openid-configuration', '/keys'])(
    'sends %s without an end: half a megabyte is read',
    async (at) => {
      let sent = 0
      const send: typeof fetch = async (url) => {
        if (!String(url).endsWith(at)) return Response.json({ issuer: GITLAB, jwks_uri: `${GITLAB}/keys` })
        const piece = Buffer.from(' '.repeat(64 * 1024))
        const body = new ReadableStream<Uint8Array>({
          pull(controller) {
            sent += piece.length
            if (sent > 50e6) controller.close()
            else controller.enqueue(piece)
          },
        })
        return new Response(body)
      }
      await expect(verifierOf(send)(FORGED)).rejects.toMatchObject({ code: 'identity_unavailable' })
      expect(sent).toBeLessThan(1_000_000)
    },
  )

  it('hangs: forged tokens are asked for once, and hold nobody up for longer', async () => {
    let asked = 0
    let nowMs = NOW_MS
    const send: typeof fetch = (_url, init) =>
      new Promise((_, reject) => {
        asked += 1
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      })
    const verify = verifierOf(send, () => nowMs)
    const startedMs = performance.now()
    const two = await Promise.allSettled([verify(FORGED), verify(FORGED)])
    const later = await Promise.allSettled(Array.from({ length: 20 }, () => verify(FORGED)))
    expect([...two, ...later].map(({ status }) => status)).toEqual(
      Array.from({ length: 22 }, () => 'rejected'),
    )
    expect(asked).toBe(1)
    expect(performance.now() - startedMs).toBeLessThan(1_000)
    nowMs += 6_000
    await verify(FORGED).catch(() => null)
    expect(asked, 'and again after a moment').toBe(2)
  })
})
