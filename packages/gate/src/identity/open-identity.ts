import { createLocalJWKSet } from 'jose'
import type { GateConfig } from '../config/read-config.ts'
import type { Handler } from '../frame/boundary.ts'
import type { RouteTable } from '../frame/route-table.ts'
import { createHelperProxy, HELPER_HEADERS } from './helper-proxy.ts'
import type { IdentityService } from './identity.ts'
import { createFirebaseIdentity, createIdentityService } from './identity-service.ts'

/** An identity service together with the exact paths a browser needs of it before there is a session. */
export interface OpenedIdentity {
  /** Null when the configuration is invalid. */
  readonly service: IdentityService | null
  readonly routes: RouteTable
}

export interface OpenIdentityOptions {
  readonly config: GateConfig
  readonly origin: URL
  readonly accountsFile: string
  readonly onWarning: (message: string) => void
  readonly now: () => number
}

/** Opens Firebase or the local service. Both end in the same verifier; there is no path around it. */
export async function openIdentity(options: OpenIdentityOptions): Promise<OpenedIdentity> {
  const { firebase } = options.config.identity
  if (firebase === null) return { service: null, routes: new Map() }
  if (options.config.mode === 'local') return openLocal(options, firebase.projectId)
  const { projectId, apiKey } = firebase
  const { origin, now } = options
  return {
    service: createFirebaseIdentity({ projectId, apiKey, origin, fetch, now }),
    routes: createHelperProxy({ projectId, fetch, now }),
  }
}

/** Imported only here and only now: a production install does not contain the package. */
async function openLocal(options: OpenIdentityOptions, projectId: string): Promise<OpenedIdentity> {
  const { createLocalIdentity } = await import('@sekisho/local-identity')
  const { origin, accountsFile, onWarning, now } = options
  const local = await createLocalIdentity({ projectId, origin: origin.origin, accountsFile, onWarning, now })
  const handler: Handler = async (request) => {
    const response = await local.handle(request)
    for (const [name, value] of Object.entries(HELPER_HEADERS)) response.headers.set(name, value)
    return response
  }
  return {
    service: createIdentityService({
      issuer: local.issuer,
      audience: local.audience,
      keys: createLocalJWKSet(local.jwks),
      exchange: local.exchangeRefreshToken,
      now,
    }),
    routes: new Map(local.paths.map((path) => [path, { access: 'open', answer: handler }])),
  }
}
