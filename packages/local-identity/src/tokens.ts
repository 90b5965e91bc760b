import { exportJWK, generateKeyPair, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose'
import type { Account } from './emulator/account.ts'

/** Signs what the emulator leaves unsigned, in the shape of the real service's ID tokens. */
export interface Tokens {
  readonly issuer: string
  readonly jwks: JSONWebKeySet
  sign(account: Account): Promise<string>
  /** The account id of a token signed by this instance, or null for any other token. */
  readSubject(idToken: string): Promise<string | null>
}

const LIFETIME_SECONDS = 3600

/** The key pair lives as long as the process; a restart makes every older ID token worthless. */
export async function createTokens(projectId: string, now: () => number): Promise<Tokens> {
  const issuer = `https://securetoken.google.com/${projectId}`
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const kid = crypto.randomUUID()
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }
  return {
    issuer,
    jwks: { keys: [jwk] },
    sign: (account) => {
      const issuedAt = Math.floor(now() / 1000)
      return new SignJWT(claimsOf(account, issuedAt))
        .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(projectId)
        .setSubject(account.localId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + LIFETIME_SECONDS)
        .setJti(crypto.randomUUID()) // two sign-ins in one second are two tokens: the gate takes each once
        .sign(privateKey)
    },
    readSubject: async (idToken) => {
      const rules = { algorithms: ['RS256'], issuer, audience: projectId, currentDate: new Date(now()) }
      const verified = await jwtVerify(idToken, publicKey, rules).catch(() => null)
      return verified?.payload.sub ?? null
    },
  }
}

/** Claims come from the account's record alone: nothing a browser sent reaches a token. */
function claimsOf(account: Account, issuedAt: number): Record<string, unknown> {
  const authTime = account.lastLoginAtMs === 0 ? issuedAt : Math.floor(account.lastLoginAtMs / 1000)
  return {
    ...(account.displayName === null ? {} : { name: account.displayName }),
    ...(account.photoUrl === null ? {} : { picture: account.photoUrl }),
    ...(account.email === null ? {} : { email: account.email, email_verified: account.emailVerified }),
    auth_time: Math.min(authTime, issuedAt),
    user_id: account.localId,
    firebase: {
      identities: {
        ...(account.googleId === null ? {} : { 'google.com': [account.googleId] }),
        ...(account.email === null ? {} : { email: [account.email] }),
      },
      sign_in_provider: account.googleId === null ? 'custom' : 'google.com',
    },
  }
}
