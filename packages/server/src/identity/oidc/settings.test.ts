import type { Message } from '@sekisho/contract/language'
import { describe, expect, it } from 'vitest'
import { readProviders } from '../../config/read-providers.ts'

const TENANT = '6f1c2b34-0000-4000-8000-00000000abcd'
const ENTRA = {
  SEKISHO_IDENTITY: 'oidc',
  SEKISHO_OIDC_ISSUER: `https://login.microsoftonline.com/${TENANT}/v2.0`,
  SEKISHO_OIDC_CLIENT_ID: 'portal',
  SEKISHO_OIDC_CLIENT_SECRET: 'secret',
}
const GOOGLE = {
  SEKISHO_OIDC_2_ISSUER: 'https://accounts.google.com',
  SEKISHO_OIDC_2_CLIENT_ID: 'portal',
  SEKISHO_OIDC_2_CLIENT_SECRET: 'secret',
}

function read(env: Readonly<Record<string, string>>, mode: 'production' | 'local' = 'production') {
  const problems: Message[] = []
  const text = (name: string) => env[name]
  const identity = readProviders({ text, secret: text }, mode, problems)
  return { problems: problems.join('\n'), identity }
}

describe('the settings of OpenID providers', () => {
  it('know what each vendor is called', () => {
    const issuers = {
      entra: ENTRA.SEKISHO_OIDC_ISSUER,
      google: 'https://accounts.google.com',
      okta: 'https://example.okta.com',
      keycloak: 'https://sso.example.co.jp/realms/main',
      oidc: 'https://ap.ssso.hdems.com/example',
    }
    for (const [name, issuer] of Object.entries(issuers)) {
      const { identity, problems } = read({ ...ENTRA, SEKISHO_OIDC_ISSUER: issuer })
      expect([problems, identity.providers.map(({ login }) => login.id)]).toEqual(['', [name]])
      expect(identity.owner).toEqual({ issuer, projectId: 'portal' })
    }
  })

  it('offer several, in order, beside each other', () => {
    const env = {
      ...ENTRA,
      ...GOOGLE,
      SEKISHO_OIDC_DOMAINS: 'a.example',
      SEKISHO_OIDC_2_DOMAINS: 'b.example',
    }
    const { identity, problems } = read(env)
    expect(problems).toBe('')
    expect(identity.providers.map(({ login }) => login.label)).toEqual(['Microsoft', 'Google'])
  })

  it.each([
    [
      'nOAuth: any tenant',
      { SEKISHO_OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' },
      /one tenant/,
    ],
    [
      'nOAuth: any company',
      { SEKISHO_OIDC_ISSUER: 'https://login.microsoftonline.com/organizations/v2.0' },
      /one tenant/,
    ],
    [
      'nOAuth: personal accounts by their tenant',
      { SEKISHO_OIDC_ISSUER: 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0' },
      /one tenant/,
    ],
    ['nOAuth: several that may speak for any domain', GOOGLE, /SEKISHO_OIDC_2_DOMAINS must name/],
    ['http', { SEKISHO_OIDC_ISSUER: 'http://sso.example.co.jp' }, /https/],
    ['http on loopback', { SEKISHO_OIDC_ISSUER: 'http://localhost:8080' }, /https/],
    ['no secret', { SEKISHO_OIDC_CLIENT_SECRET: '' }, /CLIENT_SECRET/],
    ['no client', { SEKISHO_OIDC_CLIENT_ID: '' }, /CLIENT_ID/],
    ['two credentials', { SEKISHO_OIDC_PRIVATE_KEY: 'key' }, /set one of them/],
    ['a name that is the prefix of roles', { SEKISHO_OIDC_NAME: 'role' }, /NAME/],
    ['two of one name', { ...GOOGLE, SEKISHO_OIDC_2_NAME: 'entra' }, /two providers are called entra/],
    ['a kind nobody knows', { SEKISHO_IDENTITY: 'saml' }, /SEKISHO_IDENTITY/],
    ['the local one in production', { SEKISHO_IDENTITY: 'local' }, /SEKISHO_IDENTITY/],
  ] as const)('55 do not start with %s', (_row, changes, problem) => {
    const env = Object.fromEntries(
      Object.entries({ ...ENTRA, ...changes }).filter(([, value]) => value !== ''),
    )
    expect(read(env).problems).toMatch(problem)
  })

  it('may be tried on a developer’s machine over http on loopback', () => {
    expect(read({ ...ENTRA, SEKISHO_OIDC_ISSUER: 'http://localhost:8080' }, 'local').problems).toBe('')
  })
})
