import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLocalJWKSet, jwtVerify, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalIdentity, type LocalIdentity } from './index.ts'
import { PATHS } from './paths.ts'

const ORIGIN = 'http://localhost:3000'
const MEMBER = { sub: 'google-1-sato-hanako', email: 'hanako.sato@sekisho.example', email_verified: true }

let folder: string
let identity: LocalIdentity

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sekisho-identity-'))
  identity = await start()
})
afterAll(async () => {
  identity.close()
  await rm(folder, { recursive: true })
})

function start(now: () => number = Date.now): Promise<LocalIdentity> {
  const accountsFile = join(folder, 'accounts.json')
  return createLocalIdentity({
    projectId: 'demo-sekisho',
    origin: ORIGIN,
    accountsFile,
    env: {},
    onWarning: () => {},
    now,
  })
}

function post(
  path: string,
  body: string,
  headers: Record<string, string> = {},
  service = identity,
): Promise<Response> {
  return service.handle(new Request(`${ORIGIN}${path}`, { method: 'POST', body, headers }))
}

async function signIn(
  claims: object,
  extra: object = {},
  service = identity,
): Promise<Record<string, string>> {
  const postBody = new URLSearchParams({
    id_token: JSON.stringify(claims),
    providerId: 'google.com',
  }).toString()
  const body = JSON.stringify({ requestUri: ORIGIN, returnSecureToken: true, postBody, ...extra })
  return (await (await post(PATHS.signIn, body, {}, service)).json()) as Record<string, string>
}

const payloadOf = (idToken = '') => idToken.split('.')[1]

async function verify(idToken: string | undefined): Promise<Record<string, unknown>> {
  const rules = { algorithms: ['RS256'], issuer: identity.issuer, audience: identity.audience }
  return (await jwtVerify(idToken ?? '', createLocalJWKSet(identity.jwks), rules)).payload
}

describe('signing in', () => {
  it('answers with a token the published key verifies, in the shape of the real service', async () => {
    const claims = await verify((await signIn(MEMBER)).idToken)
    expect(claims).toMatchObject({
      iss: 'https://securetoken.google.com/demo-sekisho',
      aud: 'demo-sekisho',
      sub: 'demo-1-sato-hanako',
      email: 'hanako.sato@sekisho.example',
      email_verified: true,
      name: '佐藤 花子',
      firebase: { sign_in_provider: 'google.com' },
    })
  })

  it('gives one account two different tokens within one second, because the gate takes each only once', async () => {
    const service = await start(() => 1_790_000_000_000)
    const [first, second] = [await signIn(MEMBER, {}, service), await signIn(MEMBER, {}, service)]
    service.close()
    expect(first.idToken).toBeTypeOf('string')
    expect(payloadOf(second.idToken)).not.toBe(payloadOf(first.idToken))
  })

  it('takes the identity from the record when a known account comes with another address', async () => {
    const claims = await verify((await signIn({ ...MEMBER, email: 'boss@sekisho.example' })).idToken)
    expect(claims.email).toBe('hanako.sato@sekisho.example')
  })

  it('makes an account for somebody new, and keeps it over a restart', async () => {
    const { localId } = await signIn({
      sub: 'new',
      name: '山田 太郎',
      email: 'taro@sekisho.example',
      email_verified: true,
    })
    const restarted = await start()
    const found = (await restarted.listAccounts()).find((account) => account.localId === localId)
    restarted.close()
    expect(found).toMatchObject({ displayName: '山田 太郎', email: 'taro@sekisho.example', googleId: 'new' })
  })

  it('gives an account without an address a token without one', async () => {
    const claims = await verify((await signIn({ sub: 'google-6-no-email' })).idToken)
    expect(claims).not.toHaveProperty('email')
  })

  it('refuses to link accounts through an ID token in the body', async () => {
    expect(await signIn(MEMBER, { idToken: 'anything' })).toMatchObject({
      error: { message: 'INVALID_IDP_RESPONSE' },
    })
  })
})

describe('looking up', () => {
  const lookup = async (idToken: string | undefined) => {
    const answer = await post(PATHS.lookup, JSON.stringify({ idToken }))
    return { status: answer.status, body: (await answer.json()) as { users?: { email: string }[] } }
  }

  it('answers for a token of ours', async () => {
    const { body } = await lookup((await signIn(MEMBER)).idToken)
    expect(body.users?.[0]?.email).toBe('hanako.sato@sekisho.example')
  })

  it('refuses the unsigned token the emulator itself would believe', async () => {
    const forged = new UnsecuredJWT({
      user_id: 'demo-1-sato-hanako',
      firebase: { sign_in_provider: 'google.com' },
    })
      .setSubject('demo-1-sato-hanako')
      .setIssuer(identity.issuer)
      .setAudience(identity.audience)
      .setExpirationTime('1h')
      .encode()
    expect((await lookup(forged)).status).toBe(400)
  })
})

describe('asking again whether an account may sign in', () => {
  it('says so while it may', async () => {
    const { refreshToken } = await signIn(MEMBER)
    const result = await identity.exchangeRefreshToken(refreshToken ?? '')
    expect(result.status).toBe('alive')
    if (result.status === 'alive') expect((await verify(result.idToken)).sub).toBe('demo-1-sato-hanako')
  })

  it('says gone for a disabled, then a deleted account, and for nonsense', async () => {
    const { refreshToken, localId } = await signIn({ sub: 'leaver', email: 'leaver@sekisho.example' })
    await identity.setDisabled(localId ?? '', true)
    expect(await identity.exchangeRefreshToken(refreshToken ?? '')).toEqual({
      status: 'gone',
      code: 'USER_DISABLED',
    })
    await identity.removeAccount(localId ?? '')
    expect(await identity.exchangeRefreshToken(refreshToken ?? '')).toMatchObject({ status: 'gone' })
    expect(await identity.exchangeRefreshToken('nonsense')).toMatchObject({ status: 'gone' })
  })
})

describe('the surface', () => {
  it.each([
    ['/emulator/openapi.json', 'GET', 404],
    ['/identitytoolkit.googleapis.com/v1/projects/demo-sekisho/accounts:batchGet', 'GET', 404],
    ['/identitytoolkit.googleapis.com/v1/accounts:signUp', 'POST', 404],
    ['/emulator/v1/projects/demo-sekisho/accounts', 'DELETE', 404],
    [PATHS.lookup, 'GET', 405],
    [PATHS.picker, 'POST', 405],
  ])('answers %s by %s with %i, also to an administrator of the emulator', async (path, method, status) => {
    const request = new Request(`${ORIGIN}${path}`, { method, headers: { authorization: 'Bearer owner' } })
    expect((await identity.handle(request)).status).toBe(status)
  })

  it('gives an administrator no more than anybody else on an open path', async () => {
    const body = JSON.stringify({ localId: ['demo-1-sato-hanako'] })
    expect((await post(PATHS.lookup, body, { authorization: 'Bearer owner' })).status).toBe(400)
  })

  it('refuses other sites and oversized bodies', async () => {
    expect((await post(PATHS.lookup, '{}', { origin: 'http://evil.example' })).status).toBe(403)
    expect((await post(PATHS.lookup, '{}', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await post(PATHS.lookup, `{"idToken":"${'x'.repeat(70_000)}"}`)).status).toBe(400)
  })

  it('serves its pages with a policy of their own', async () => {
    for (const path of [PATHS.picker, PATHS.frame]) {
      const answer = await identity.handle(new Request(`${ORIGIN}${path}`))
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(await answer.text()).not.toMatch(/https:\/\//)
    }
  })
})

describe('the account file', () => {
  it('holds no secret', async () => {
    await signIn(MEMBER)
    expect(await readFile(join(folder, 'accounts.json'), 'utf8')).not.toMatch(/token|password/i)
  })

  it('does not stop the service when it is damaged', async () => {
    const damaged = join(folder, 'damaged.json')
    await writeFile(damaged, '{"not":"a list"')
    const warnings: string[] = []
    const options = { projectId: 'demo-sekisho', origin: ORIGIN, accountsFile: damaged, env: {} }
    const restarted = await createLocalIdentity({
      ...options,
      onWarning: (message) => warnings.push(message),
    })
    expect((await restarted.listAccounts()).length).toBeGreaterThan(3)
    expect(warnings).toHaveLength(1)
    restarted.close()
  })
})
