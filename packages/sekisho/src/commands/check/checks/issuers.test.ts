import { expect, it } from 'vitest'
import { checkIssuers } from './issuers.ts'

const ISSUER = 'https://login.example.co.jp/tenant/v2.0'
const NOW_MS = Date.UTC(2026, 10, 23, 12)

/** An issuer on paper: documents by their addresses, answered at a time of its own. */
function issuerWith(documents: Readonly<Record<string, unknown>>, atMs = NOW_MS): typeof fetch {
  return async (input) => {
    const document = documents[String(input)]
    if (document instanceof Error) throw document
    const headers = { date: new Date(atMs).toUTCString() }
    return document === undefined
      ? new Response(null, { status: 404, headers })
      : new Response(JSON.stringify(document), { headers })
  }
}

const DISCOVERY = `${ISSUER}/.well-known/openid-configuration`
const KEYS = 'https://login.example.co.jp/keys'
const GOOD = { [DISCOVERY]: { issuer: ISSUER, jwks_uri: KEYS }, [KEYS]: { keys: [{ kty: 'RSA' }] } }
const refused = new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) })

async function codesOf(documents: Readonly<Record<string, unknown>>, env = {}, atMs = NOW_MS) {
  const options = { fetch: issuerWith(documents, atMs), clock: () => NOW_MS, env }
  return (await checkIssuers([ISSUER], options)).findings.map(({ code }) => code)
}

it('finds nothing wrong with an issuer that describes itself and has keys', async () => {
  expect(await codesOf(GOOD)).toEqual([])
})

it.each([
  ['no document', {}, 'issuer_unreachable'],
  ['no connection', { ...GOOD, [DISCOVERY]: refused }, 'issuer_unreachable'],
  ['another name', { ...GOOD, [DISCOVERY]: { issuer: `${ISSUER}/`, jwks_uri: KEYS } }, 'issuer_name_differs'],
  ['no address of keys', { ...GOOD, [DISCOVERY]: { issuer: ISSUER } }, 'issuer_no_keys'],
  ['no keys', { ...GOOD, [KEYS]: { keys: [] } }, 'issuer_no_keys'],
  ['keys that cannot be had', { [DISCOVERY]: GOOD[DISCOVERY] }, 'issuer_unreachable'],
])('finds an issuer with %s', async (_row, documents, code) => {
  expect(await codesOf(documents)).toEqual([code])
})

it('says that a proxy is set and not used', async () => {
  const env = { HTTPS_PROXY: 'http://proxy.example.co.jp:8080' }
  expect(await codesOf({ [DISCOVERY]: refused }, env)).toEqual(['issuer_unreachable_by_proxy'])
  expect(await codesOf({ [DISCOVERY]: refused }, { ...env, NODE_USE_ENV_PROXY: '1' })).toEqual([
    'issuer_unreachable',
  ])
})

it.each([
  [29, []],
  [31, ['clock_differs']],
  [-31, ['clock_differs']],
])('a clock that differs by %i s: %j', async (seconds, codes) => {
  expect(await codesOf(GOOD, {}, NOW_MS + seconds * 1_000)).toEqual(codes)
})
