import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLocalJWKSet, generateKeyPair, jwtVerify, SignJWT, UnsecuredJWT } from 'jose'
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
  const type = path === PATHS.token ? 'application/x-www-form-urlencoded' : 'application/json'
  const all = { 'content-type': type, ...headers }
  return service.handle(new Request(`${ORIGIN}${path}?key=local`, { method: 'POST', body, headers: all }))
}

type Entry = Record<string, unknown>

/** Changes the file as a person would, while the service runs. */
async function editAccounts(change: (entries: Entry[]) => Entry[]): Promise<void> {
  const file = join(folder, 'accounts.json')
  await writeFile(file, JSON.stringify(change(JSON.parse(await readFile(file, 'utf8')))))
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

  it('issues one account two different tokens within one second, because the gate accepts each only once', async () => {
    const service = await start(() => 1_790_000_000_000)
    const [first, second] = [await signIn(MEMBER, {}, service), await signIn(MEMBER, {}, service)]
    expect(first.idToken).toBeTypeOf('string')
    expect(payloadOf(second.idToken)).not.toBe(payloadOf(first.idToken))
  })

  it('reads the identity from the record when a known account presents another address', async () => {
    const claims = await verify((await signIn({ ...MEMBER, email: 'boss@sekisho.example' })).idToken)
    expect(claims.email).toBe('hanako.sato@sekisho.example')
  })

  it('makes an account for a new address, and keeps it over a restart', async () => {
    const claims = { sub: 'new', name: '山田 太郎', email: 'taro@sekisho.example', email_verified: true }
    const { localId, refreshToken } = await signIn(claims)
    const restarted = await start()
    expect(await signIn({ sub: 'new' }, {}, restarted)).toMatchObject({ localId })
    expect(await restarted.exchangeRefreshToken(refreshToken ?? '')).toMatchObject({ kind: 'alive', localId })
  })

  it('signs people in at the same moment and loses none of them', async () => {
    const people = await Promise.all(
      ['a', 'b', 'c'].map((sub) => signIn({ sub, email: `${sub}@twins.example` })),
    )
    const kept = await readFile(join(folder, 'accounts.json'), 'utf8')
    for (const { localId } of people) expect(kept).toContain(localId)
  })

  it('issues an account without an address a token without one', async () => {
    const claims = await verify((await signIn({ sub: 'google-6-no-email' })).idToken)
    expect(claims).not.toHaveProperty('email')
  })

  it.each([
    ['to link accounts through an ID token', { idToken: 'anything' }, 'INVALID_IDP_RESPONSE'],
    [
      'any provider but Google',
      { postBody: 'providerId=github.com&id_token={"sub":"x"}' },
      'OPERATION_NOT_ALLOWED',
    ],
    [
      'claims of the wrong type',
      { postBody: 'providerId=google.com&id_token={"sub":7}' },
      'INVALID_IDP_RESPONSE',
    ],
    ['no claims', { postBody: 'providerId=google.com' }, 'INVALID_IDP_RESPONSE'],
  ])('refuses %s', async (_, body, message) => {
    expect(await signIn(MEMBER, body)).toMatchObject({ error: { code: 400, message } })
  })
})

describe('looking up', () => {
  const lookup = async (idToken: string | undefined) => {
    const answer = await post(PATHS.lookup, JSON.stringify({ idToken }))
    return (await answer.json()) as { users?: { email: string }[]; error?: { message: string } }
  }
  const claims = { user_id: 'demo-1-sato-hanako', firebase: { sign_in_provider: 'google.com' } }
  const dress = <Token extends UnsecuredJWT | SignJWT>(token: Token): Token => {
    token.setSubject('demo-1-sato-hanako').setIssuer(identity.issuer).setAudience(identity.audience)
    token.setExpirationTime('1h')
    return token
  }

  it('answers for a token of ours', async () => {
    expect((await lookup((await signIn(MEMBER)).idToken)).users?.[0]?.email).toBe(
      'hanako.sato@sekisho.example',
    )
  })

  it('refuses the unsigned token the emulator would believe', async () => {
    const forged = dress(new UnsecuredJWT(claims)).encode()
    expect((await lookup(forged)).error?.message).toBe('INVALID_ID_TOKEN')
  })

  it('refuses a token of another key, and one whose claims were changed', async () => {
    const { privateKey } = await generateKeyPair('RS256')
    const kid = identity.jwks.keys[0]?.kid ?? ''
    const foreign = await dress(new SignJWT(claims))
      .setProtectedHeader({ alg: 'RS256', kid })
      .sign(privateKey)
    expect((await lookup(foreign)).error?.message).toBe('INVALID_ID_TOKEN')
    const [header, , signature] = ((await signIn(MEMBER)).idToken ?? '').split('.')
    const changed = `${header}.${payloadOf(foreign)}.${signature}`
    expect((await lookup(changed)).error?.message).toBe('INVALID_ID_TOKEN')
  })

  it('refuses a token after its hour', async () => {
    let nowMs = 1_790_000_000_000
    const service = await start(() => nowMs)
    const { idToken } = await signIn(MEMBER, {}, service)
    const ask = async () => (await post(PATHS.lookup, JSON.stringify({ idToken }), {}, service)).json()
    expect(await ask()).toHaveProperty('users')
    nowMs += 3_600_000
    expect(await ask()).toMatchObject({ error: { message: 'TOKEN_EXPIRED' } })
  })
})

describe('asking again whether an account may sign in', () => {
  it('says so while it may', async () => {
    const { refreshToken } = await signIn(MEMBER)
    const result = await identity.exchangeRefreshToken(refreshToken ?? '')
    expect(result.kind).toBe('alive')
    if (result.kind === 'alive') expect((await verify(result.idToken)).sub).toBe('demo-1-sato-hanako')
  })

  it('says gone for an account disabled, then deleted in the file, and for nonsense', async () => {
    const { refreshToken = '', localId } = await signIn({ sub: 'leaver', email: 'leaver@sekisho.example' })
    await editAccounts((entries) =>
      entries.map((entry) => (entry.localId === localId ? { ...entry, disabled: true } : entry)),
    )
    expect(await identity.exchangeRefreshToken(refreshToken)).toEqual({
      kind: 'gone',
      reason: 'USER_DISABLED',
    })
    await editAccounts((entries) => entries.filter((entry) => entry.localId !== localId))
    const gone = { kind: 'gone', reason: 'INVALID_REFRESH_TOKEN' }
    expect(await identity.exchangeRefreshToken(refreshToken)).toEqual(gone)
    expect(await identity.exchangeRefreshToken('nonsense')).toEqual(gone)
  })

  it('says gone for a token of another project', async () => {
    const other = btoa(JSON.stringify({ localId: 'demo-1-sato-hanako', projectId: 'demo-other' }))
    expect(await identity.exchangeRefreshToken(other)).toMatchObject({ kind: 'gone' })
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
  ])(
    'answers %s by %s with %i, also to whom the emulator takes for an administrator',
    async (path, method, status) => {
      const request = new Request(`${ORIGIN}${path}`, { method, headers: { authorization: 'Bearer owner' } })
      expect((await identity.handle(request)).status).toBe(status)
    },
  )

  it('gives an administrator no more than others on an open path', async () => {
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
    const picker = () => restarted.handle(new Request(`${ORIGIN}${PATHS.picker}`))
    expect(await (await picker()).text()).toContain('佐藤 花子')
    await picker()
    expect(warnings).toHaveLength(1)
  })
})
