import {
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  type JWTHeaderParameters,
  SignJWT,
} from 'jose'

export const PROJECT = 'portal-1234'
export const ISSUER = `https://securetoken.google.com/${PROJECT}`

/** An issuer with keys of its own, for tokens that are right or wrong in one known way. */
export interface TestIssuer {
  readonly jwks: JSONWebKeySet
  readonly keys: ReturnType<typeof createLocalJWKSet>
  /** A complete Google sign-in of `a@example.co.jp` at `now`, with some claims or header fields changed. */
  sign(claims?: Record<string, unknown>, header?: Partial<JWTHeaderParameters>): Promise<string>
  /** The signature of any text in base64url, for tokens that jose would not make. */
  signBytes(text: string): Promise<string>
}

let shared: ReturnType<typeof generateKeyPair> | undefined

/** Issuers of a process share a pair of keys, whose making costs more than most tests, unless one is to be a stranger. */
export async function createTestIssuer(now: () => number, hasOwnKeys = false): Promise<TestIssuer> {
  shared ??= generateKeyPair('RS256')
  const { publicKey, privateKey } = await (hasOwnKeys ? generateKeyPair('RS256') : shared)
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'test-key', alg: 'RS256', use: 'sig' }] }
  return {
    jwks,
    keys: createLocalJWKSet(jwks),
    sign: (claims = {}, header = {}) =>
      new SignJWT({ ...goodClaims(now()), ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'test-key', typ: 'JWT', ...header })
        .sign(privateKey),
    async signBytes(text) {
      const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', privateKey, Buffer.from(text))
      return Buffer.from(signature).toString('base64url')
    },
  }
}

let people = 0
/** Claims of a new person each time, so that no limit of one test reaches another. */
export function somebody(): { sub: string; email: string } {
  people += 1
  return { sub: `uid-${people}`, email: `p${people}@example.co.jp` }
}

export function goodClaims(nowMs: number): Record<string, unknown> {
  const seconds = Math.floor(nowMs / 1_000)
  return {
    iss: ISSUER,
    aud: PROJECT,
    sub: 'google-uid-1',
    iat: seconds,
    exp: seconds + 3_600,
    auth_time: seconds,
    name: '山田 花子',
    email: 'a@example.co.jp',
    email_verified: true,
    firebase: {
      identities: { 'google.com': ['1'], email: ['a@example.co.jp'] },
      sign_in_provider: 'google.com',
    },
  }
}
