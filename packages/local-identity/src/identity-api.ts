import { isRecord, writeAccount } from './emulator/account.ts'
import type { Accounts } from './emulator/accounts.ts'
import type { Answer, Dispatcher } from './emulator/dispatcher.ts'
import { apiError, type IdentityRequest, json, readBody } from './http.ts'
import type { Tokens } from './tokens.ts'

/** The three calls of the SDK, answered by the emulator but with identity from its records and real signatures. */
export interface IdentityApi {
  signInWithIdp(request: IdentityRequest): Promise<Response>
  lookup(request: IdentityRequest): Promise<Response>
  exchangeToken(request: IdentityRequest): Promise<Response>
  exchangeRefreshToken(refreshToken: string): Promise<RefreshResult>
}

/** `gone` is final: the account is disabled or deleted, or the token was never ours. */
export type RefreshResult =
  | { readonly status: 'alive'; readonly idToken: string; readonly refreshToken: string }
  | { readonly status: 'gone'; readonly code: string }

interface IdentityApiDependencies {
  readonly emulator: Dispatcher
  readonly accounts: Accounts
  readonly tokens: Tokens
  /** Called after an account may have been made or changed. */
  readonly onSignIn: () => Promise<void>
}

const SIGN_IN_PATH = '/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=local'
const TOKEN_PATH = '/securetoken.googleapis.com/v1/token?key=local'

/** The emulator answers 4xx with a code of the real service; anything else is a fault of ours. */
const GONE_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404])

export function createIdentityApi({
  emulator,
  accounts,
  tokens,
  onSignIn,
}: IdentityApiDependencies): IdentityApi {
  const idTokenFor = async (localId: unknown): Promise<string | null> => {
    const account = typeof localId === 'string' ? await accounts.find(localId) : null
    return account === null || account.disabled ? null : tokens.sign(account)
  }

  const exchangeRefreshToken = async (refreshToken: string): Promise<RefreshResult> => {
    const answer = await emulator.call({
      method: 'POST',
      path: TOKEN_PATH,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }).toString(),
    })
    if (GONE_STATUSES.has(answer.status)) return { status: 'gone', code: errorCodeOf(answer) }
    const body = readSuccess(answer, 'token')
    const idToken = await idTokenFor(body.user_id)
    if (idToken === null) return { status: 'gone', code: 'USER_NOT_FOUND' }
    return { status: 'alive', idToken, refreshToken: String(body.refresh_token) }
  }

  return {
    exchangeRefreshToken,

    signInWithIdp: async (request) => {
      const body = readJson(await readBody(request))
      // A token in the body would link accounts by an identity the emulator does not verify.
      if (body === null || 'idToken' in body) return apiError(400, 'INVALID_IDP_RESPONSE')
      const answer = await emulator.call({
        method: 'POST',
        path: SIGN_IN_PATH,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (answer.status !== 200 || !isRecord(answer.body) || !('idToken' in answer.body)) {
        return json(answer.status, answer.body)
      }
      const idToken = await idTokenFor(answer.body.localId)
      if (idToken === null) return apiError(400, 'USER_NOT_FOUND')
      await onSignIn()
      return json(200, { ...answer.body, idToken })
    },

    lookup: async (request) => {
      const idToken = readJson(await readBody(request))?.idToken
      const subject = typeof idToken === 'string' ? await tokens.readSubject(idToken) : null
      if (subject === null) return apiError(400, 'INVALID_ID_TOKEN')
      const account = await accounts.find(subject)
      if (account === null) return apiError(400, 'USER_NOT_FOUND')
      if (account.disabled) return apiError(400, 'USER_DISABLED')
      return json(200, { kind: 'identitytoolkit#GetAccountInfoResponse', users: [writeAccount(account)] })
    },

    exchangeToken: async (request) => {
      const form = new URLSearchParams((await readBody(request)) ?? '')
      const result = await exchangeRefreshToken(form.get('refresh_token') ?? '')
      if (result.status === 'gone') return apiError(400, result.code)
      const { idToken, refreshToken } = result
      const token = { id_token: idToken, access_token: idToken, refresh_token: refreshToken }
      return json(200, { ...token, expires_in: '3600', token_type: 'Bearer' })
    },
  }
}

function readJson(text: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

function readSuccess(answer: Answer, call: string): Record<string, unknown> {
  if (answer.status === 200 && isRecord(answer.body)) return answer.body
  throw new Error(`The emulator answered ${answer.status} to ${call}`)
}

function errorCodeOf(answer: Answer): string {
  const error = isRecord(answer.body) ? answer.body.error : undefined
  const message = isRecord(error) ? error.message : undefined
  return typeof message === 'string'
    ? (message.split(' ')[0] ?? 'INVALID_REFRESH_TOKEN')
    : 'INVALID_REFRESH_TOKEN'
}
