import { parseOrNull } from '@sekisho/contract/json-shape'
import { errors, exportJWK, generateKeyPair, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose'
import { type Account, isRecord, textOrNull } from './accounts/account.ts'

/** ID tokens as the real service signs them, and refresh tokens that outlive a restart. */
export interface TokenIssuer {
  readonly issuer: string
  readonly jwks: JSONWebKeySet
  /** The answer to a sign-in or a refresh. */
  issue(account: Account): Promise<IssuedTokens>
  /** The account id of an ID token that this instance signed and that has not expired. */
  readIdToken(idToken: string): Promise<ReadIdToken>
  /** The account id in a refresh token, or null when it is none of this project. */
  readRefreshToken(refreshToken: string): string | null
}

export interface IssuedTokens {
  readonly idToken: string
  readonly refreshToken: string
  /** Seconds, as text. */
  readonly expiresIn: string
}

type ReadIdToken =
  | { readonly ok: true; readonly localId: string }
  | { readonly ok: false; readonly code: 'INVALID_ID_TOKEN' | 'TOKEN_EXPIRED' }

const LIFETIME_SECONDS = 3600

/** The key pair lives as long as the process; a restart makes every older ID token worthless. */
export async function createTokenIssuer(projectId: string, now: () => number): Promise<TokenIssuer> {
  const issuer = `https://securetoken.google.com/${projectId}`
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const kid = crypto.randomUUID()
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }
  const sign = (account: Account): Promise<string> => {
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
  }
  return {
    issuer,
    jwks: { keys: [jwk] },
    issue: async (account) => ({
      idToken: await sign(account),
      refreshToken: writeRefreshToken({ localId: account.localId, projectId }),
      expiresIn: String(LIFETIME_SECONDS),
    }),
    readIdToken: async (idToken) => {
      const rules = { algorithms: ['RS256'], issuer, audience: projectId, currentDate: new Date(now()) }
      try {
        const { sub } = (await jwtVerify(idToken, publicKey, rules)).payload
        return sub === undefined ? { ok: false, code: 'INVALID_ID_TOKEN' } : { ok: true, localId: sub }
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error
        return { ok: false, code: error instanceof errors.JWTExpired ? 'TOKEN_EXPIRED' : 'INVALID_ID_TOKEN' }
      }
    },
    readRefreshToken: (refreshToken) => {
      const record = parseRefreshToken(refreshToken)
      return isRecord(record) && record.projectId === projectId ? textOrNull(record.localId) : null
    },
  }
}

/** Not a secret: a client that can request one can choose any account in the picker anyway. */
function writeRefreshToken(record: { readonly localId: string; readonly projectId: string }): string {
  return Buffer.from(JSON.stringify(record)).toString('base64')
}

const parseRefreshToken = (refreshToken: string): unknown =>
  parseOrNull(Buffer.from(refreshToken, 'base64').toString('utf8'))

/** Claims come from the account's record alone: nothing a browser sent reaches a token. */
function claimsOf(account: Account, issuedAt: number): Record<string, unknown> {
  const { googleId, email, emailVerified } = account
  return {
    ...(account.displayName === null ? {} : { name: account.displayName }),
    ...(account.photoUrl === null ? {} : { picture: account.photoUrl }),
    ...(email === null ? {} : { email, email_verified: emailVerified }),
    auth_time: Math.min(Math.floor(account.lastLoginAtMs / 1000), issuedAt),
    user_id: account.localId,
    firebase: {
      identities: { 'google.com': [googleId], ...(email === null ? {} : { email: [email] }) },
      sign_in_provider: 'google.com',
    },
  }
}
