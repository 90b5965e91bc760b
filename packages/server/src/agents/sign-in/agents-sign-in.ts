import { authorizationServerMetadata, resourceMetadata } from '@sekisho/contract/agents'
import { AGENT_ROUTES } from '@sekisho/contract/routes'
import type { Handler } from '../../kernel/boundary.ts'
import { jsonResponse } from '../../kernel/pages/problem.ts'
import { openRoute, type RouteTable, readerRoute } from '../../kernel/route-table.ts'
import type { Grants } from '../../state/grants/index.ts'
import { type AuthorizeOptions, createAuthorize } from './authorize.ts'
import { createFetchDocument, type FetchDocument } from './client-documents.ts'
import { createFindClient, createIsKnown, mayRegister } from './clients.ts'
import { createRegister, type RegisterOptions } from './register.ts'
import { createTokenEndpoint } from './tokens.ts'

interface AgentsSignInOptions
  extends Omit<AuthorizeOptions, 'findClient' | 'grants'>,
    Pick<RegisterOptions, 'rules'> {
  readonly grants: Grants
  readonly registrationLimit: RegisterOptions['limit']
  readonly fetchDocument?: FetchDocument
}

/** Binds the routes by which a client finds out how to ask (open), a reader is asked (signed in), and the client gets its tokens. */
export function createAgentsSignInRoutes(options: AgentsSignInOptions): RouteTable {
  const { origin, rules, grants, fetchDocument = createFetchDocument() } = options
  const registered = grants.clients
  const findClient = createFindClient({ rules, registered, fetchDocument, now: options.now })
  const { show, decide } = createAuthorize({ ...options, findClient })
  const { token, revoke } = createTokenEndpoint({ ...options, isKnown: createIsKnown({ rules, registered }) })
  const register = createRegister({ ...options, registered, limit: options.registrationLimit })
  const resource = documentHandler(resourceMetadata(origin))
  const server = documentHandler(authorizationServerMetadata(origin, mayRegister(rules)))
  return new Map([
    openRoute(AGENT_ROUTES.resource, { GET: resource, HEAD: resource }),
    openRoute(AGENT_ROUTES.resourceOfMcp, { GET: resource, HEAD: resource }),
    openRoute(AGENT_ROUTES.resourceOfMcpWithSlash, { GET: resource, HEAD: resource }),
    openRoute(AGENT_ROUTES.authorizationServer, { GET: server, HEAD: server }),
    readerRoute(AGENT_ROUTES.authorize, { GET: show, HEAD: show, POST: decide }),
    openRoute(AGENT_ROUTES.token, { POST: token }),
    openRoute(AGENT_ROUTES.revoke, { POST: revoke }),
    openRoute(AGENT_ROUTES.register, { POST: register }),
  ])
}

/** Scripts of other origins may read these and nothing else: clients that run in a browser do. */
function documentHandler(document: object): Handler {
  const headers = { 'Access-Control-Allow-Origin': '*' }
  return () => jsonResponse(document, { headers })
}
