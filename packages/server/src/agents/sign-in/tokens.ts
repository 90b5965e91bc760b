import { hash, timingSafeEqual } from 'node:crypto'
import { AGENT_SCOPE, type OAuthError } from '@sekisho/contract/agents'
import { AGENT_ROUTES } from '@sekisho/contract/routes'
import type { GateResponse } from '@sekisho/wire'
import type { AuditTrail } from '../../audit/index.ts'
import { type Handler, whereOf } from '../../kernel/boundary.ts'
import { readFormBody } from '../../kernel/json-body.ts'
import { jsonResponse } from '../../kernel/pages/problem.ts'
import type { Grant, Grants, Redeemed } from '../../state/grants/index.ts'
import { addressKey, createRateLimit } from '../../state/limits/index.ts'
import { isResource } from './authorization-request.ts'
import type { CodeBinding } from './authorize.ts'
import { oauthError } from './oauth-error.ts'

interface TokensOptions {
  readonly origin: URL
  readonly grants: Pick<Grants, 'redeem' | 'refresh' | 'revoke' | 'issuedFor' | 'find'>
  /** Tells if a client of this id may get tokens. */
  readonly isKnown: (client: string) => Promise<boolean>
  readonly audit: Pick<AuditTrail, 'record'>
  readonly now: () => number
}

/** Requests with nothing that a gate issued, of one address: a whole office may share it, and no junk from there holds up their clients. */
const JUNK_LIMIT = { burst: 120, perSecond: 2 }
/** Requests with a code or token of one grant: each of its processes refreshes four times an hour. */
const GRANT_LIMIT = { burst: 30, perSecond: 1 / 10 }
/** Form of a client's code verifier (RFC 7636, section 4.1). */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

/** Creates the token and revocation endpoints. Clients have no secret; the code or token alone identifies them. */
export function createTokenEndpoint({
  origin,
  grants,
  isKnown,
  audit,
  now,
}: TokensOptions): Readonly<Record<'token' | 'revoke', Handler>> {
  const junk = createRateLimit({ ...JUNK_LIMIT, now })
  const genuine = createRateLimit({ ...GRANT_LIMIT, now })

  async function takeTurn(form: URLSearchParams | null, { clientAddress }: Context): Promise<number> {
    const revoked = form?.get('token') ?? null
    const refresh = form?.get('refresh_token') ?? revoked
    const named =
      refresh !== null
        ? grants.issuedFor('refresh', refresh)
        : grants.issuedFor('code', form?.get('code') ?? '')
    // Access tokens name no grant: the store knows them, as it does at every call of a tool.
    const grant = named ?? (revoked === null ? null : ((await grants.find(revoked))?.id ?? null))
    return grant === null ? junk.take(addressKey(clientAddress)) : genuine.take(grant)
  }

  /** Reads a form without repeated parameters, from a sender within its limit. */
  const withForm =
    (
      route: { readonly maxBodyBytes: number },
      answer: (form: URLSearchParams, context: Context) => Promise<GateResponse>,
    ): Handler =>
    async (request, context) => {
      const form = await readFormBody(request, route.maxBodyBytes)
      const waitSeconds = await takeTurn(form, context)
      if (waitSeconds > 0) return oauthError('slow_down', waitSeconds)
      const isPlain = form !== null && new Set(form.keys()).size === form.size
      return isPlain ? answer(form, context) : oauthError('invalid_request')
    }

  function exchange(form: URLSearchParams, client: string): Promise<Redeemed> | OAuthError {
    const [code, verifier] = [form.get('code'), form.get('code_verifier') ?? '']
    if (code === null) return 'invalid_request'
    return grants.redeem(code, (grant, text) => {
      const { redirect, challenge }: CodeBinding = JSON.parse(text) // sealed as one by `authorize.ts`
      const isSame = grant.client === client && form.get('redirect_uri') === redirect
      return isSame && VERIFIER.test(verifier) && isEqual(hash('sha256', verifier, 'base64url'), challenge)
    })
  }
  function refresh(form: URLSearchParams, client: string): Promise<Redeemed> | OAuthError {
    const token = form.get('refresh_token')
    return token === null ? 'invalid_request' : grants.refresh(token, client)
  }

  const token = withForm(AGENT_ROUTES.token, async (form, context) => {
    if (!isResource(form.get('resource'), origin)) return oauthError('invalid_target')
    const type = form.get('grant_type')
    if (type !== 'authorization_code' && type !== 'refresh_token') return oauthError('unsupported_grant_type')
    const client = form.get('client_id')
    if (client === null) return oauthError('invalid_request')
    if (!(await isKnown(client))) return oauthError('invalid_client')
    const asked = type === 'authorization_code' ? exchange(form, client) : refresh(form, client)
    if (typeof asked === 'string') return oauthError(asked)
    const redeemed = await asked
    if (redeemed.kind === 'issued') return tokenResponse(redeemed)
    if (redeemed.kind === 'busy') return oauthError('slow_down', 1)
    if (redeemed.kind !== 'unknown') {
      const reason = redeemed.kind === 'reused' ? `${type} used again` : 'code of another client or request'
      audit.record('agent_ended', { ...grantOf(redeemed.grant), by: 'gate', reason, ...whereOf(context) })
    }
    return oauthError('invalid_grant')
  })

  const revoke = withForm(AGENT_ROUTES.revoke, async (form, context) => {
    const [given, client] = [form.get('token'), form.get('client_id')]
    if (given === null || client === null) return oauthError('invalid_request')
    const grant = await grants.revoke(given, client)
    if (grant !== null) audit.record('agent_ended', { ...grantOf(grant), by: 'client', ...whereOf(context) })
    return new Response(null, { status: 200, headers: { 'Content-Length': '0' } }) // whether or not it was one (RFC 7009, section 2.2)
  })

  return { token, revoke }
}

type Context = Parameters<Handler>[1]

function grantOf({ id, client, name }: Grant) {
  return { grant: id, agent: client, name }
}

function tokenResponse({
  access,
  refresh,
  expiresInS,
}: Extract<Redeemed, { readonly kind: 'issued' }>): GateResponse {
  return jsonResponse({
    access_token: access,
    token_type: 'Bearer',
    expires_in: expiresInS,
    refresh_token: refresh,
    scope: AGENT_SCOPE,
  })
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
