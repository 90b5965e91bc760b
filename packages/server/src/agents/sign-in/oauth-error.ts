import { type OAuthError, oauthErrorDocument } from '@sekisho/contract/agents'
import type { GateResponse } from '@sekisho/wire'
import { jsonResponse } from '../../kernel/pages/problem.ts'

/** Tells a client why it gets nothing; the bytes depend on the error alone. */
export function oauthError(error: OAuthError, waitSeconds?: number): GateResponse {
  const headers = waitSeconds === undefined ? {} : { 'Retry-After': String(waitSeconds) }
  const status = waitSeconds !== undefined ? 429 : error === 'invalid_client' ? 401 : 400
  return jsonResponse(oauthErrorDocument(error), { status, headers })
}
