import { expect, it } from 'vitest'
import { createRemoteKeys } from '../key-set.ts'
import type { Server } from './client.ts'
import { createEndSession } from './end-session.ts'
import type { OidcSettings } from './oidc-settings.ts'
import { VENDORS } from './vendors.ts'

const ISSUER = 'https://op.test'
const END = `${ISSUER}/end`
const HINT = 'id-token'

const settings: OidcSettings = {
  ...{ name: 'oidc', label: 'SSO', issuer: ISSUER, clientId: 'portal', credential: { secret: 's' } },
  ...{
    vendor: VENDORS.oidc,
    scopes: 'openid',
    groupsClaim: 'groups',
    domains: [],
    tokenAuth: null,
    asksForGroups: false,
    isFirst: true,
  },
}

function end(
  endpoint: string | undefined,
  hint: string | null,
  vendor: OidcSettings['vendor'] = VENDORS.oidc,
) {
  const server = async (): Promise<Server> => {
    if (endpoint === 'away') throw new Error('the provider is away')
    const metadata = { issuer: ISSUER, ...(endpoint !== undefined && { end_session_endpoint: endpoint }) }
    return { metadata, keys: createRemoteKeys({ url: new URL(ISSUER), fetch, now: Date.now }) }
  }
  const tokens = { findIdToken: async () => hint }
  const origin = new URL('https://portal.test')
  return createEndSession({ settings: { ...settings, vendor }, origin, server, tokens })('refresh')
}

const ALONE = `${END}?client_id=portal&post_logout_redirect_uri=https%3A%2F%2Fportal.test%2F`

it.each([
  ['with a hint of whom', END, HINT, `${ALONE}&id_token_hint=${HINT}`],
  ['without one', END, null, ALONE],
  ['with none that is too long for servers', END, 'x'.repeat(6_001), ALONE],
  ['with the longest that is not', END, 'x'.repeat(6_000), `${ALONE}&id_token_hint=${'x'.repeat(6_000)}`],
])('leads to the provider %s, and back', async (_what, endpoint, hint, url) => {
  expect(await end(endpoint, hint)).toBe(url)
})

it.each([
  ['names no place for it', undefined],
  ['names no address', 'end'],
  ['names a script', 'javascript:alert(1)'],
  ['names a file', 'file:///etc/passwd'],
  ['is away', 'away'],
])('leads nowhere when the provider %s', async (_what, endpoint) => {
  expect(await end(endpoint, HINT)).toBeNull()
})

it('leads nowhere without the hint that a provider needs', async () => {
  expect(await end(END, null, VENDORS.okta)).toBeNull()
  expect(await end(END, HINT, VENDORS.okta)).toBe(`${ALONE}&id_token_hint=${HINT}`)
})
