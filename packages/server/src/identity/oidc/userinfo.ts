import { boundFetch } from '@sekisho/contract/bounded-fetch'
import { type JWTPayload, jwtVerify } from 'jose'
import { UnavailableError } from '../../storage/unavailable-error.ts'
import { addressOf } from './account.ts'
import type { Server } from './client.ts'
import { ALGORITHMS, type OidcSettings, TOLERANCE_SECONDS } from './oidc-settings.ts'

interface UserinfoOptions {
  readonly settings: OidcSettings
  readonly fetch: typeof fetch
  readonly now: () => number
}

/** Either the ID token's claims with what was missing, or null where the endpoint answered something that cannot be believed. */
export type CompleteClaims = (
  server: Server,
  claims: JWTPayload,
  accessToken: string,
) => Promise<JWTPayload | null>

/** Types of an answer; a page is a proxy's. */
const TYPES: ReadonlySet<string | undefined> = new Set(['application/json', 'application/jwt'])
const BOUNDS = { maxBytes: 256 * 1024, timeoutMs: 5_000 }

/**
 * Adds address and groups from the userinfo endpoint where the ID token lacks them (OpenID Connect Core §5.3): `oidc-provider` and
 * Authelia tell them there alone. Nothing else of that answer counts, and only for the same `sub`.
 */
export function createUserinfo({ settings, fetch, now }: UserinfoOptions): CompleteClaims {
  const { issuer, clientId, vendor, groupsClaim, asksForGroups } = settings
  const send = boundFetch(fetch, BOUNDS)

  function isIncomplete(claims: JWTPayload): boolean {
    if (vendor.isFixedTenant) return false // documented to say all it knows in the ID token
    const lacksAddress = addressOf(claims, vendor) === null || claims.email_verified === undefined
    return lacksAddress || (asksForGroups && claims[groupsClaim] === undefined)
  }

  /** Status, type and bounded body of an answer; no redirect is followed, since it would take the token along. */
  async function ask(endpoint: string, accessToken: string) {
    const headers = { Authorization: `Bearer ${accessToken}`, Accept: 'application/json, application/jwt' }
    try {
      const response = await send(endpoint, { headers, redirect: 'manual' })
      const { status } = response
      const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
      const isRefused = status >= 400 && status < 500 && status !== 429
      if (!isRefused && !(status === 200 && TYPES.has(type))) throw new Error(`status ${status}, ${type}`)
      return { status, type, text: await response.text() }
    } catch (cause) {
      throw new UnavailableError('identity_unavailable', 'the userinfo endpoint does not answer', { cause })
    }
  }

  /** Claims of a JSON answer or of one that the issuer signed; null for anything else, encrypted ones included. */
  async function read(
    { status, type, text }: Awaited<ReturnType<typeof ask>>,
    keys: Server['keys'],
  ): Promise<JWTPayload | null> {
    if (status !== 200) return null
    try {
      if (type === 'application/json') return readObject(JSON.parse(text))
      const rules = { algorithms: ALGORITHMS, issuer, audience: clientId, clockTolerance: TOLERANCE_SECONDS }
      return (await jwtVerify(text, keys, { ...rules, currentDate: new Date(now()) })).payload
    } catch (error) {
      if (error instanceof UnavailableError) throw error
      if (error instanceof SyntaxError)
        throw new UnavailableError('identity_unavailable', 'userinfo is no JSON')
      return null
    }
  }

  /** Fills in missing address and groups; the verification of an address counts for that address alone. */
  function missingOf(own: JWTPayload, told: JWTPayload): JWTPayload {
    const address = addressOf(own, vendor)
    const isSame = address === null || address.toLowerCase() === addressOf(told, vendor)?.toLowerCase()
    const { email, email_verified: isVerified } = isSame ? told : {}
    const found = { name: told.name, email, email_verified: isVerified, [groupsClaim]: told[groupsClaim] }
    const missing = Object.entries(found).filter(
      ([name, value]) => value !== undefined && own[name] === undefined,
    )
    return Object.fromEntries(missing)
  }

  return async ({ metadata, keys }, claims, accessToken) => {
    const endpoint = URL.parse(metadata.userinfo_endpoint ?? '')
    if (endpoint === null || !isIncomplete(claims)) return claims
    if (endpoint.protocol !== 'https:' && !issuer.startsWith('http:')) return null
    const told = await read(await ask(endpoint.href, accessToken), keys)
    return told?.sub === claims.sub && told !== null ? { ...claims, ...missingOf(claims, told) } : null
  }
}

function readObject(value: unknown): JWTPayload | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}
