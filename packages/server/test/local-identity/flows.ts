import { UnsecuredJWT } from 'jose'
import { vi } from 'vitest'
import { type Client, PATHS, popupBody } from './client.ts'

/** Something that is done with each service; what it notes of the answers is compared. */
export interface Flow {
  readonly name: string
  run(client: Client): Promise<unknown>
}

const flows = (by: Readonly<Record<string, Flow['run']>>): readonly Flow[] =>
  Object.entries(by).map(([name, run]) => ({ name, run }))

const taro = { sub: 'taro', name: '山田 太郎', email: 'taro@sekisho.example', email_verified: true }
/** Flows share both services: each has people of its own. */
const person = (sub: string) => ({ ...taro, sub, email: `${sub}@sekisho.example` })

export const SIGN_IN: readonly Flow[] = [
  ...flows({
    'somebody new': (client) => client.signIn(person('new')),
    'somebody new with a picture': (client) =>
      client.signIn({ ...person('picture'), picture: 'https://picture.example/1.png' }),
    'the same person again': async (client) => {
      await client.signIn(person('again'))
      await client.signIn(person('again'))
    },
    'an account without name and address': (client) => client.signIn({ sub: 'nobody' }),
    'an address in capital letters': (client) =>
      client.signIn({ ...person('capital'), email: 'Capital@Sekisho.Example' }),
    'an address Google does not vouch for': (client) =>
      client.signIn({ ...person('unverified'), email_verified: false }),
    'a known account with another address and name': async (client) => {
      await client.signIn(person('moved'))
      await client.signIn({ ...person('moved'), email: 'boss@sekisho.example', name: 'Boss' })
    },
    'a known account, of which the assertion says no more than the id': async (client) => {
      await client.signIn(person('terse'))
      await client.signIn({ sub: 'terse' })
    },
    'a known account, whose address Google no longer vouches for': async (client) => {
      await client.signIn(person('doubted'))
      await client.signIn({ ...person('doubted'), email_verified: false })
    },
    'another Google account with the same address': async (client) => {
      await client.signIn(person('shared'))
      const { idToken } = await client.signIn({ ...person('shared'), sub: 'shared-2', name: '別名' })
      await client.lookup({ idToken })
    },
    'another Google account with the same address, unverified': async (client) => {
      await client.signIn(person('claimed'))
      await client.signIn({ ...person('claimed'), sub: 'claimed-2', email_verified: false })
    },
    'a credential the application brings itself': (client) =>
      client.assert({
        requestUri: 'http://localhost',
        postBody: new URLSearchParams({
          id_token: JSON.stringify(person('credential')),
          providerId: 'google.com',
        }).toString(),
        returnSecureToken: true,
      }),
  }),
  ...[
    {},
    { requestUri: 'not an address' },
    { requestUri: 'http://localhost' },
    { requestUri: 'http://localhost?providerId=google.com&id_token=garbage' },
    { requestUri: 'http://localhost?providerId=google.com&id_token={broken' },
    popupBody({ email: 'nobody@sekisho.example' }),
    popupBody({ sub: '' }),
    popupBody({ sub: 7 }),
  ].map((body) => ({
    name: `the assertion ${decodeURIComponent(JSON.stringify(body))}`,
    run: (client: Client) => client.assert(body),
  })),
]

export const LATER: readonly Flow[] = [
  ...flows({
    'an account looked up': async (client) =>
      client.lookup({ idToken: (await client.signIn(person('lookup'))).idToken }),
    'an account without name and address looked up': async (client) =>
      client.lookup({ idToken: (await client.signIn({ sub: 'bare' })).idToken }),
    'a token refreshed, and what came of it looked up and refreshed': async (client) => {
      const { refreshToken } = await client.signIn(person('refresh'))
      const next = await client.refresh({ grant_type: 'refresh_token', refresh_token: refreshToken })
      await client.lookup({ idToken: next.idToken })
      await client.refresh({ grant_type: 'refresh_token', refresh_token: next.refreshToken })
    },
  }),
  ...[{}, { grant_type: '' }, { grant_type: 'authorization_code' }].map((form) => ({
    name: `a token refreshed with ${JSON.stringify(form)}`,
    run: async (client: Client) => {
      const { refreshToken } = await client.signIn(person('grant'))
      await client.refresh({ ...form, refresh_token: refreshToken })
    },
  })),
  ...flows({
    'a disabled account': async (client) => {
      const { localId, idToken, refreshToken } = await client.signIn(person('disabled'))
      await client.directory.disable(localId)
      await client.lookup({ idToken })
      await client.refresh({ grant_type: 'refresh_token', refresh_token: refreshToken })
      await client.signIn(person('disabled'))
    },
    'a deleted account, made again by signing in': async (client) => {
      const { localId, idToken, refreshToken } = await client.signIn(person('deleted'))
      await client.directory.remove(localId)
      await client.lookup({ idToken })
      await client.refresh({ grant_type: 'refresh_token', refresh_token: refreshToken })
      await client.signIn(person('deleted'))
    },
  }),
  ...[
    {},
    { idToken: '' },
    { idToken: 'nonsense' },
    { idToken: 'a.b.c' },
    { localId: ['demo-1-sato-hanako'] },
  ].map((body) => ({
    name: `looking up ${JSON.stringify(body)}`,
    run: (client: Client) => client.lookup(body),
  })),
  ...[
    { grant_type: 'refresh_token' },
    { grant_type: 'refresh_token', refresh_token: '' },
    { grant_type: 'refresh_token', refresh_token: 'nonsense' },
    { grant_type: 'refresh_token', refresh_token: btoa('{"localId":"demo-1-sato-hanako"}') },
  ].map((form) => ({
    name: `refreshing with ${JSON.stringify(form)}`,
    run: (client: Client) => client.refresh({ ...form }),
  })),
]

export const ODD: readonly Flow[] = [
  ...Object.values(PATHS).flatMap((path) => [
    { name: `${path} without an API key`, run: (client: Client) => client.ask({ path, body: '{}' }) },
    {
      name: `${path} with an empty API key`,
      run: (client: Client) => client.ask({ path: `${path}?key=`, body: '{}' }),
    },
    {
      name: `${path} by GET`,
      run: (client: Client) => client.ask({ path: `${path}?key=k`, method: 'GET' }, 'status'),
    },
    {
      name: `${path} with a body of plain text`,
      run: (client: Client) =>
        client.ask({ path: `${path}?key=k`, headers: { 'content-type': 'text/plain' }, body: '{}' }),
    },
  ]),
  ...[PATHS.signIn, PATHS.lookup].flatMap((path) =>
    ['', '[]', '{"broken'].map((body) => ({
      name: `${path} with the body ${JSON.stringify(body)}`,
      run: (client: Client) => client.ask({ path: `${path}?key=k`, body }),
    })),
  ),
]

interface Difference extends Flow {
  /** Last response of ours. */
  readonly refusal: string
}

const unsigned = (user: string): string =>
  new UnsecuredJWT({ user_id: user, firebase: { sign_in_provider: 'google.com' } }).setSubject(user).encode()

/** Behaviour of the emulator that we refuse: it is written for tests of applications, ours for signing in. */
export const STRICTER: readonly Difference[] = [
  {
    name: 'an unsigned token of somebody known',
    run: async (client) => {
      const { localId } = await client.signIn(person('forged'))
      await client.lookup({ idToken: unsigned(localId) })
    },
    refusal: 'INVALID_ID_TOKEN',
  },
  {
    name: 'a token with other claims under the signature',
    run: async (client) => {
      const { idToken, localId } = await client.signIn(person('changed'))
      const [header, , signature] = idToken.split('.')
      await client.lookup({ idToken: `${header}.${unsigned(localId).split('.')[1]}.${signature}` })
    },
    refusal: 'INVALID_ID_TOKEN',
  },
  {
    name: 'a token after its hour',
    run: async (client) => {
      const { idToken } = await client.signIn(person('late'))
      vi.setSystemTime(Date.now() + 3_601_000)
      await client.lookup({ idToken })
    },
    refusal: 'TOKEN_EXPIRED',
  },
  {
    name: 'the word that makes an administrator',
    run: (client) => client.lookup({ localId: ['demo-1-sato-hanako'] }, { authorization: 'Bearer owner' }),
    refusal: 'MISSING_ID_TOKEN',
  },
  {
    name: 'a second identity for an account',
    run: async (client) => {
      const { idToken } = await client.signIn(person('linked'))
      await client.assert({ ...popupBody({ sub: 'linked-2' }), idToken })
    },
    refusal: 'INVALID_IDP_RESPONSE',
  },
  {
    name: 'another provider than Google',
    run: (client) =>
      client.assert({ requestUri: 'http://localhost?providerId=github.com&id_token={"sub":"github"}' }),
    refusal: 'OPERATION_NOT_ALLOWED',
  },
  {
    name: 'an assertion that is a token instead of claims',
    run: (client) =>
      client.assert({
        requestUri: `http://localhost?providerId=google.com&id_token=${unsigned('somebody')}`,
      }),
    refusal: 'INVALID_IDP_RESPONSE',
  },
]
