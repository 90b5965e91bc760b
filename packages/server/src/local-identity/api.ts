import { isRecord, textOrNull, toUserInfo } from './accounts/account.ts'
import type { Accounts } from './accounts/accounts.ts'
import { describeAssertion, readAssertion } from './accounts/google-assertion.ts'
import { apiError, type IdentityRequest, json, readBody } from './http.ts'
import type { IssuedTokens, TokenIssuer } from './tokens.ts'

/** The three calls of the SDK, and the one of the gate. Codes are those of the real service. */
export interface IdentityApi {
  signInWithIdp(request: IdentityRequest): Promise<Response>
  lookup(request: IdentityRequest): Promise<Response>
  exchangeToken(request: IdentityRequest): Promise<Response>
  exchangeRefreshToken(refreshToken: string): Promise<RefreshResult>
}

/** `gone` is final: the account is disabled or deleted, or the token was never ours. */
export type RefreshResult =
  | ({ readonly kind: 'alive'; readonly localId: string } & IssuedTokens)
  | { readonly kind: 'gone'; readonly reason: string }

/** The emulator has this number for every project. */
const PROJECT_NUMBER = '12345'

export function createIdentityApi(accounts: Accounts, tokens: TokenIssuer): IdentityApi {
  async function exchangeRefreshToken(refreshToken: string): Promise<RefreshResult> {
    const localId = tokens.readRefreshToken(refreshToken)
    const account = localId === null ? null : await accounts.find(localId)
    if (account === null) return { kind: 'gone', reason: 'INVALID_REFRESH_TOKEN' }
    if (account.disabled) return { kind: 'gone', reason: 'USER_DISABLED' }
    return { kind: 'alive', localId: account.localId, ...(await tokens.issue(account)) }
  }

  return {
    exchangeRefreshToken,

    signInWithIdp: async (request) => {
      const body = await readJson(request)
      if (body instanceof Response) return body
      const assertion = readAssertion(body)
      if (!assertion.ok) return apiError(400, assertion.code)
      const { profile, idToken } = assertion
      const answer = describeAssertion(profile, idToken)
      const result = await accounts.signIn(profile)
      if (result.kind === 'disabled') return apiError(400, 'USER_DISABLED')
      const { localId, email, emailVerified } = result.account
      if (result.kind === 'needs_confirmation')
        return json(200, { ...answer, needConfirmation: true, localId, verifiedProvider: ['google.com'] })
      return json(200, {
        ...answer,
        // Of the address on record the record says whether it is verified.
        ...(email === profile.email ? { emailVerified: email === null ? undefined : emailVerified } : {}),
        isNewUser: result.isNew ? true : undefined,
        emailRecycled: result.relinked ? true : undefined,
        localId,
        ...(await tokens.issue(result.account)),
      })
    },

    lookup: async (request) => {
      const body = await readJson(request)
      if (body instanceof Response) return body
      const idToken = textOrNull(body.idToken)
      if (idToken === null) return apiError(400, 'MISSING_ID_TOKEN')
      const token = await tokens.readIdToken(idToken)
      if (!token.ok) return apiError(400, token.code)
      const account = await accounts.find(token.localId)
      if (account === null) return apiError(400, 'USER_NOT_FOUND')
      if (account.disabled) return apiError(400, 'USER_DISABLED')
      return json(200, { kind: 'identitytoolkit#GetAccountInfoResponse', users: [toUserInfo(account)] })
    },

    exchangeToken: async (request) => {
      const form = new URLSearchParams((await readBody(request)) ?? '')
      const grantType = form.get('grant_type') ?? ''
      if (grantType === '') return apiError(400, 'MISSING_GRANT_TYPE')
      if (grantType !== 'refresh_token') return apiError(400, 'INVALID_GRANT_TYPE')
      const refreshToken = form.get('refresh_token') ?? ''
      if (refreshToken === '') return apiError(400, 'MISSING_REFRESH_TOKEN')
      const result = await exchangeRefreshToken(refreshToken)
      if (result.kind === 'gone') return apiError(400, result.reason)
      return json(200, {
        id_token: result.idToken,
        access_token: result.idToken,
        expires_in: result.expiresIn,
        refresh_token: result.refreshToken,
        token_type: 'Bearer',
        user_id: result.localId,
        project_id: PROJECT_NUMBER,
      })
    },
  }
}

/** The JSON object of a body, or the refusal. */
async function readJson(request: IdentityRequest): Promise<Record<string, unknown> | Response> {
  const text = await readBody(request)
  if (text === null) return invalidPayload('the body is too large')
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    return isRecord(value) ? value : invalidPayload('must be object')
  } catch {
    return invalidPayload('no JSON')
  }
}

function invalidPayload(why: string): Response {
  return apiError(400, `Invalid JSON payload received. ${why}`, 'INVALID_ARGUMENT')
}
