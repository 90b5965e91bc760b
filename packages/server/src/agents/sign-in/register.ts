import { AGENT_ROUTES } from '@sekisho/contract/routes'
import type { AuditTrail } from '../../audit/index.ts'
import { type Handler, whereOf } from '../../kernel/boundary.ts'
import { readJsonBody } from '../../kernel/json-body.ts'
import { jsonResponse, problem } from '../../kernel/pages/problem.ts'
import type { RegisteredClients } from '../../state/grants/index.ts'
import { addressKey, createRateLimit, type RateLimit } from '../../state/limits/index.ts'
import { readClientMetadata } from './client-documents.ts'
import type { ClientRules } from './client-rules.ts'
import { mayRegister } from './clients.ts'
import { oauthError } from './oauth-error.ts'
import { readRedirectUri, sharedForm } from './redirect-uris.ts'

export interface RegisterOptions {
  readonly rules: ClientRules
  readonly registered: Pick<RegisteredClients, 'register' | 'findAlike'>
  /** Registrations of one address, at whichever gate. */
  readonly limit: RateLimit
  readonly audit: Pick<AuditTrail, 'record'>
  readonly now: () => number
}

/** Registrations of all addresses together: one sender may have thousands of networks. */
const ALL_ADDRESSES = { burst: 100, perSecond: 100 / 3_600 }

/**
 * Creates the endpoint of client registration (RFC 7591), open to strangers: it gives nothing but a name for a reader to be asked about.
 */
export function createRegister({ rules, registered, limit, audit, now }: RegisterOptions): Handler {
  const all = createRateLimit({ ...ALL_ADDRESSES, now })
  return async (request, context) => {
    if (!mayRegister(rules)) return problem('not_found')
    const isBusy = async () => {
      const waitSeconds = (await limit.take(addressKey(context.clientAddress))) || all.take('')
      return waitSeconds > 0 ? oauthError('slow_down', waitSeconds) : null
    }
    const body = await readJsonBody(request, AGENT_ROUTES.register.maxBodyBytes)
    const value = body.kind === 'read' && typeof body.value === 'object' ? body.value : null
    const metadata = value === null ? null : readClientMetadata(value)
    if (metadata === null) return (await isBusy()) ?? oauthError('invalid_client_metadata')
    if (metadata.redirects.some((one) => readRedirectUri(one) === null))
      return (await isBusy()) ?? oauthError('invalid_redirect_uri')
    // A loopback port is whichever was free: colleagues with the same program share one entry, which costs nothing.
    const shared = { name: metadata.name, redirects: metadata.redirects.map(sharedForm) }
    const known = await registered.findAlike(shared)
    const refused = known === null ? await isBusy() : null
    if (refused !== null) return refused
    const id = known ?? (await registered.register(shared))
    if (known === null)
      audit.record('agent_registered', { agent: id, name: metadata.name, ...whereOf(context) })
    const answer = {
      client_id: id,
      client_name: metadata.name,
      redirect_uris: metadata.redirects,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
    return jsonResponse(answer, { status: 201 })
  }
}
